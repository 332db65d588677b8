import { useState } from "react";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { usePerson } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { ProblemNotice } from "../../ui/inline-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toast-queue.ts";
import { useSubmit } from "../../ui/use-submit.ts";
import { NewPassword } from "../sign-in/new-password.tsx";
import { sessionsKey } from "./sessions.tsx";

export function PasswordForm() {
  const { email } = usePerson();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const { submit, isPending, errorAt } = useSubmit();
  const save = async () => {
    await call("changePassword", { body: { current_password: current, new_password: next } });
    setCurrent("");
    setNext("");
    showToast("Your password is changed, and other devices are signed out");
    await queryClient.invalidateQueries({ queryKey: sessionsKey });
  };
  return (
    <Section title="Password" description="Changing it signs you out on all other devices.">
      <ProblemNotice text={errorAt(undefined)} />
      <Form label="Password" onSubmit={() => submit(save)}>
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          error={errorAt("current_password")}
        />
        <NewPassword label="New password" value={next} onChange={setNext} error={errorAt("new_password")} />
        <FormActions>
          <Button type="submit" isPending={isPending} isDisabled={current === "" || next === ""}>
            Change password
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}
