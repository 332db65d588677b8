import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ShownInvitation } from "../../../../contract/console/account.ts";
import { type Problem, problemOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { acceptSession, homeOf } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { NewPassword } from "./new-password.tsx";

type Props = { token: string; invitation: ShownInvitation };

export function AcceptNew({ token, invitation }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { accept, isPending, problem } = useAcceptance(token, invitation);
  const send = () => void accept({ name: name.trim(), password });
  const errorOf = (field: string) => (problem?.field === field ? problem.text : undefined);
  return (
    <>
      {problem !== undefined && problem.field === undefined && (
        <InlineNotice tone="danger" live>
          {problem.text}
        </InlineNotice>
      )}
      <Form label="Your account" onSubmit={send}>
        <input type="hidden" name="username" autoComplete="username" value={invitation.email} />
        <TextField
          label="Your name"
          autoComplete="name"
          value={name}
          onChange={setName}
          error={errorOf("name")}
          maxLength={200}
          autoFocus
          isRequired
        />
        <NewPassword label="Password" value={password} onChange={setPassword} error={errorOf("password")} />
        <Button type="submit" kind="primary" full isPending={isPending}>
          Create account and join
        </Button>
      </Form>
    </>
  );
}

export function AcceptKnown({ token, invitation }: Props) {
  const { accept, isPending, problem } = useAcceptance(token, invitation);
  return (
    <>
      {problem !== undefined && (
        <InlineNotice tone="danger" live>
          {problem.text}
        </InlineNotice>
      )}
      <Button kind="primary" full isPending={isPending} onPress={() => void accept({})}>
        Accept invitation
      </Button>
    </>
  );
}

function useAcceptance(token: string, { organization }: ShownInvitation) {
  const navigate = useNavigate();
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const accept = async (body: { name?: string; password?: string }) => {
    if (isPending) return;
    setPending(true);
    setProblem(undefined);
    try {
      const session = await call("acceptInvitation", { token, body }, { withoutSession: true });
      acceptSession(session);
      await navigate({ to: organization === null ? homeOf(session) : `/o/${organization.slug}`, replace: true });
    } catch (error) {
      setPending(false);
      setProblem(problemOf(error));
    }
  };
  return { accept, isPending, problem };
}
