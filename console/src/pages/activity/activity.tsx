import { useSearch } from "@tanstack/react-router";
import { useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { ActivityList, ExportButton } from "./activity-list.tsx";
import { activitySearch } from "./activity-search.ts";

/** Who changed what, how and why, in the organization and in the events that it hosts. */
export function ActivityPage() {
  usePageTitle("Activity");
  const organization = useOrganization();
  const search = activitySearch(useSearch({ strict: false }));
  return (
    <>
      <PageHeader
        title="Activity"
        description="Every change that people and agents made, and why. Changes by other organizations show only their name."
        actions={<ExportButton organization={organization} search={search} />}
      />
      <ActivityList key={organization.id} organization={organization} search={search} />
    </>
  );
}
