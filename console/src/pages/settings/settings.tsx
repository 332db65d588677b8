import { useQuery } from "@tanstack/react-query";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { BrandingForm } from "./branding-form.tsx";
import { LogosForm } from "./logos-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { settingsQuery } from "./settings-data.ts";

export function SettingsPage() {
  usePageTitle("Profile and branding");
  const { id, role } = useOrganization();
  const { data, error, refetch } = useQuery(settingsQuery(id));
  const isOwner = roleAtLeast(role, "owner");
  if (data === undefined) {
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  }
  const { name, description, website_url, contact_email, social_links } = data;
  const { brand_primary_color, brand_secondary_color, logo_url, logo_dark_url } = data;
  const profile = { name, description, website_url, contact_email, social_links };
  const branding = { brand_primary_color, brand_secondary_color };
  const logos = { logo_url, logo_dark_url };
  return (
    <>
      <PageHeader
        title="Profile and branding"
        description="How your organization appears on event pages and posters."
      />
      {!isOwner && (
        <div className="space-below">
          <InlineNotice title="Owners change these settings">You see them as they are.</InlineNotice>
        </div>
      )}
      <ProfileForm stored={profile} isOwner={isOwner} />
      <BrandingForm stored={branding} isOwner={isOwner} />
      <LogosForm stored={logos} isOwner={isOwner} />
    </>
  );
}
