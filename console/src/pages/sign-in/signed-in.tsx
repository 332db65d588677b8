import { usePageTitle } from "../../shell/page-title.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** Where signing in in a second window ends. */
export function SignedInPage() {
  usePageTitle("You are signed in");
  return (
    <SignInFrame title="You are signed in">
      <InlineNotice tone="success">You can close this window and continue where you left off.</InlineNotice>
    </SignInFrame>
  );
}
