import { Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import type { Session } from "../../../../contract/console/account.ts";
import { isApiError, messageOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { acceptSession, homeOf, useSession } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { InlineNotice, ProblemNotice } from "../../ui/inline-notice.tsx";
import { Link } from "../../ui/link.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ForgotPassword } from "./forgot-password.tsx";
import { OidcLink } from "./oidc-link.tsx";
import { oidcProblem } from "./oidc-problems.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

export function SignInPage() {
  const { return_to, forgot, error } = useSearch({ from: "/sign-in" });
  const session = useSession();
  if (session.person !== null) return <Navigate to={return_to ?? homeOf(session)} replace />;
  if (forgot === true) return <ForgotPassword />;
  return <PasswordForm returnTo={return_to} oidc={session.sign_in.oidc} problem={oidcProblem(error)} />;
}

type PasswordFormProps = {
  returnTo: string | undefined;
  oidc: Session["sign_in"]["oidc"];
  /** Why a sign-in elsewhere has failed. */
  problem: string | undefined;
};

function PasswordForm({ returnTo, oidc, problem }: PasswordFormProps) {
  usePageTitle("Sign in");
  const navigate = useNavigate();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState(problem);

  const signIn = async () => {
    if (email.trim() === "" || password === "") return setError("Enter your e-mail address and your password.");
    setPending(true);
    setError(undefined);
    try {
      const session = await call("signIn", { body: { email: email.trim(), password } }, { withoutSession: true });
      acceptSession(session);
      await navigate({ to: returnTo ?? homeOf(session), replace: true });
    } catch (failure) {
      setPending(false);
      setPassword("");
      setError(explain(failure));
    }
  };
  return (
    <SignInFrame title="Sign in" description="To your organization’s events, posters and API keys.">
      {returnTo !== undefined && error === undefined && (
        <InlineNotice>Sign in to continue where you were.</InlineNotice>
      )}
      <ProblemNotice text={error} />
      <Form label="Sign in" onSubmit={() => void signIn()}>
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          autoFocus
          isRequired
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          isRequired
        />
        <Button type="submit" kind="primary" full isPending={isPending}>
          Sign in
        </Button>
      </Form>
      {oidc !== null && <OidcLink label={oidc.label} returnTo={returnTo} />}
      <p className="muted small">
        <Link to="/sign-in" search={{ forgot: true }}>
          Forgot your password?
        </Link>
      </p>
      <p className="muted small">
        Accounts are by invitation. Ask an owner of your organization to invite you, or{" "}
        <Link to="/docs">read the documentation</Link>.
      </p>
    </SignInFrame>
  );
}

function explain(problem: unknown): string {
  if (isApiError(problem, "unauthorized"))
    return "The e-mail address or the password is wrong. Check both and try again.";
  return messageOf(problem);
}
