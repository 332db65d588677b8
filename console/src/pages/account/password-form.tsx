import { useState } from "react";
import { type Problem, problemOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { usePerson } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toast-queue.ts";
import { NewPassword } from "../sign-in/new-password.tsx";
import { sessionsKey } from "./sessions.tsx";

export function PasswordForm() {
  const { email } = usePerson();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const save = async () => {
    if (isPending) return;
    setPending(true);
    setProblem(undefined);
    try {
      const body = { current_password: current, new_password: next };
      await call("changePassword", { body });
      setCurrent("");
      setNext("");
      showToast("Your password is changed, and other devices are signed out");
      await queryClient.invalidateQueries({ queryKey: sessionsKey });
    } catch (error) {
      setProblem(problemOf(error));
    }
    setPending(false);
  };
  const errorOf = (field: string) => (problem?.field === field ? problem.text : undefined);
  return (
    <Section title="Password" description="Changing it signs you out on all other devices.">
      {problem !== undefined && problem.field === undefined && (
        <InlineNotice tone="danger" live>
          {problem.text}
        </InlineNotice>
      )}
      <Form label="Password" onSubmit={() => void save()}>
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={errorOf("current_password")}
        />
        <NewPassword label="New password" value={next} onChange={setNext} error={errorOf("new_password")} />
        <FormActions>
          <Button type="submit" isPending={isPending} isDisabled={current === "" || next === ""}>
            Change password
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}
