import { useQuery } from "@tanstack/react-query";
import { roleAtLeast, useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { BrandingForm } from "./branding-form.tsx";
import { LogosForm } from "./logos-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import styles from "./settings.module.css";
import { settingsQuery } from "./settings-data.ts";

export function SettingsPage() {
  usePageTitle("Settings");
  const { id, role } = useOrganization();
  const { data, error, refetch } = useQuery(settingsQuery(id));
  const isOwner = roleAtLeast(role, "owner");
  if (data === undefined) {
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  }
  // The key starts the forms anew with what is stored, after a change by whomever.
  const key = JSON.stringify(data);
  return (
    <>
      <PageHeader title="Settings" description="How your organization appears on event pages and posters." />
      {!isOwner && (
        <div className={styles.notices}>
          <InlineNotice title="Owners change these settings">You see them as they are.</InlineNotice>
        </div>
      )}
      <ProfileForm key={`profile ${key}`} stored={data} isOwner={isOwner} />
      <BrandingForm key={`branding ${key}`} stored={data} isOwner={isOwner} />
      <LogosForm key={`logos ${key}`} stored={data} isOwner={isOwner} />
    </>
  );
}
