import { usePerson, useSession } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { Sessions } from "./sessions.tsx";

export function AccountPage() {
  usePageTitle("Your account");
  const session = useSession();
  const person = usePerson();
  return (
    <>
      <PageHeader title="Your account" />
      {session.organizations.length === 0 && (
        <NoOrganization isAdministrator={person.platform_admin} email={person.email} />
      )}
      <ProfileForm />
      <PasswordForm />
      <Sessions />
    </>
  );
}

/** After the last membership has ended, there is nothing else to see. */
const NoOrganization = ({ isAdministrator, email }: { isAdministrator: boolean; email: string }) => (
  <div className="space-below">
    <InlineNotice title="You are not a member of an organization">
      {isAdministrator ? (
        <Link to="/admin">Go to the administration of the platform</Link>
      ) : (
        <>
          Events, guests and posters belong to organizations. An owner of one can invite {email}: open the link that you
          get, and its pages appear here. If you were a member until now, ask an owner why that ended.
        </>
      )}
    </InlineNotice>
  </div>
);
