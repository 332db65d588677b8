import { usePageTitle } from "../../shell/page-title.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { Sessions } from "./sessions.tsx";

export function AccountPage() {
  usePageTitle("Your account");
  return (
    <>
      <PageHeader title="Your account" />
      <ProfileForm />
      <PasswordForm />
      <Sessions />
    </>
  );
}
