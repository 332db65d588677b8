import { Navigate, useNavigate, useSearch } from "@tanstack/react-router";
import type { Session } from "../../../../contract/console/account.ts";
import { acceptSession, homeOf, useSession } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Link } from "../../ui/link.tsx";
import { ForgotPassword } from "./forgot-password.tsx";
import { OidcLink } from "./oidc-link.tsx";
import { oidcProblem } from "./oidc-problems.ts";
import { PasswordSignIn } from "./password-sign-in.tsx";
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
  const accept = async (session: Session) => {
    acceptSession(session);
    await navigate({ to: returnTo ?? homeOf(session), replace: true });
  };
  return (
    <SignInFrame title="Sign in" description="To your organization’s events, posters and API keys.">
      {returnTo !== undefined && problem === undefined && (
        <InlineNotice>Sign in to continue where you were.</InlineNotice>
      )}
      <PasswordSignIn problem={problem} onSignedIn={accept} />
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
