import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import type { Person, Session } from "../../../contract/console/account.ts";
import { call } from "../api/client.ts";
import { settleRenewal } from "../api/renewal.ts";
import { acceptRenewal, useSession } from "../api/session.ts";
import { stopChanges } from "../change/use-change.tsx";
import { letGo, unsavedNow } from "../drafts/unsaved.ts";
import { OidcLink } from "../pages/sign-in/oidc-link.tsx";
import { PasswordSignIn } from "../pages/sign-in/password-sign-in.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { leaveToSignIn } from "./leave-to-sign-in.ts";

/** Above everything when a session has ended. After signing in, what waited for it goes on. */
export function SignInAgain({ person }: { person: Person }) {
  const router = useRouter();
  const { oidc } = useSession().sign_in;
  const accept = (session: Session) => {
    if (session.person?.id === person.id) return acceptRenewal(session);
    stopChanges();
    // Nothing that the other person has seen stays in memory. What they entered is kept for them.
    letGo(unsavedNow());
    window.location.reload();
  };
  useEffect(() => {
    // In another window, by password or by the identity provider.
    const look = async () => {
      const session = await call("session", {}).catch(() => undefined);
      if (session !== undefined && session.person !== null) accept(session);
    };
    const onFocus = () => void look();
    window.addEventListener("focus", onFocus);
    return () => window.removeEventListener("focus", onFocus);
  });
  const leave = () => {
    stopChanges();
    letGo(unsavedNow());
    settleRenewal(false);
    leaveToSignIn(router);
  };
  return (
    <Dialog
      isOpen
      locked
      opaque
      size="small"
      title="Sign in to continue"
      description="Your session has ended. Your page is unchanged and continues once you have signed in."
      onClose={leave}
      footer={<Button onPress={leave}>Leave this page</Button>}
    >
      <div className="column gap-4">
        <PasswordSignIn email={person.email} onSignedIn={accept} />
        {oidc !== null && <OidcLink label={oidc.label} returnTo="/sign-in/done" inNewWindow />}
      </div>
    </Dialog>
  );
}
