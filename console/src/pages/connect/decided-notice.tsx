import type { ConnectRequest } from "../../../../contract/console/account.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";

/** The organization that the app was connected to, or that the person denied the request. */
export type Decided = { organization: { name: string; slug: string } } | "denied";

/** What stays in the browser when the app that it returns to is not a page. */
export function DecidedNotice({ app: { name }, decided }: { app: ConnectRequest["app"]; decided: Decided }) {
  const shown = <bdi>{name}</bdi>;
  if (decided === "denied") {
    return (
      <SignInFrame title={<>{shown} is not connected</>}>
        <InlineNotice live>It gets no access, and is told so. You can close this page.</InlineNotice>
      </SignInFrame>
    );
  }
  const { organization } = decided;
  return (
    <SignInFrame title={<>{shown} is connected</>}>
      <InlineNotice tone="success" live>
        Continue there: it can now work for you at {organization.name}. You can close this page.
      </InlineNotice>
      <ButtonLink to="/o/$organization/settings/apps" params={{ organization: organization.slug }} full>
        See connected apps
      </ButtonLink>
    </SignInFrame>
  );
}
