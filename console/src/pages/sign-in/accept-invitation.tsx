import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ShownInvitation } from "../../../../contract/console/account.ts";
import { maximumLine } from "../../../../contract/nouns.ts";
import { call } from "../../api/client.ts";
import { acceptSession, homeOf } from "../../api/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { ProblemNotice } from "../../ui/inline-notice.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { NewPassword } from "./new-password.tsx";

type Props = { token: string; invitation: ShownInvitation };

export function AcceptNew({ token, invitation }: Props) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { accept, isPending, errorAt } = useAcceptance(token, invitation);
  const send = () => void accept({ name: name.trim(), password });
  return (
    <>
      <ProblemNotice text={errorAt(undefined)} />
      <Form label="Your account" onSubmit={send}>
        <input type="hidden" name="username" autoComplete="username" value={invitation.email} />
        <TextField
          label="Your name"
          autoComplete="name"
          value={name}
          onChange={setName}
          error={errorAt("name")}
          maxLength={maximumLine}
          autoFocus
          isRequired
        />
        <NewPassword label="Password" value={password} onChange={setPassword} error={errorAt("password")} />
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
      <ProblemNotice text={problem?.text} />
      <Button kind="primary" full isPending={isPending} onPress={() => accept({})}>
        Accept invitation
      </Button>
    </>
  );
}

function useAcceptance(token: string, { organization }: ShownInvitation) {
  const navigate = useNavigate();
  const { submit, ...state } = useSubmit();
  const accept = (body: { name?: string; password?: string }) =>
    submit(async () => {
      const session = await call("acceptInvitation", { token, body }, { withoutSession: true });
      acceptSession(session);
      await navigate({ to: organization === null ? homeOf(session) : `/o/${organization.slug}`, replace: true });
    });
  return { accept, ...state };
}
