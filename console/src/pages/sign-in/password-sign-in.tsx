import { useState } from "react";
import type { Session } from "../../../../contract/console/account.ts";
import { isApiError, messageOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { ProblemNotice } from "../../ui/inline-notice.tsx";
import { TextField } from "../../ui/text-field.tsx";

type Props = {
  /** Who probably signs in. */
  email?: string;
  /** Why a sign-in elsewhere has failed. */
  problem?: string | undefined;
  onSignedIn: (session: Session) => void | Promise<void>;
};

/** E-mail address and password, with what is wrong with them. */
export function PasswordSignIn({ email: known = "", problem, onSignedIn }: Props) {
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState("");
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState(problem);

  const signIn = async () => {
    if (email.trim() === "" || password === "") return setError("Enter your e-mail address and your password.");
    setPending(true);
    setError(undefined);
    try {
      await onSignedIn(await call("signIn", { body: { email: email.trim(), password } }, { withoutSession: true }));
    } catch (failure) {
      setPending(false);
      setPassword("");
      setError(explain(failure));
    }
  };
  return (
    <>
      <ProblemNotice text={error} />
      <Form label="Sign in" onSubmit={signIn}>
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          autoFocus={known === ""}
          isRequired
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          autoFocus={known !== ""}
          isRequired
        />
        <Button type="submit" kind="primary" full isPending={isPending}>
          Sign in
        </Button>
      </Form>
    </>
  );
}

function explain(problem: unknown): string {
  if (isApiError(problem, "unauthorized"))
    return "The e-mail address or the password is wrong. Check both and try again.";
  return messageOf(problem);
}
