import { useParams, useSearch } from "@tanstack/react-router";
import { useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import styles from "./activity.module.css";
import { ActivityList, ExportButton } from "./activity-list.tsx";
import { activitySearch } from "./activity-search.ts";

/** The changes of one event: a tab of its page. */
export function EventActivityPage() {
  usePageTitle("Activity");
  const organization = useOrganization();
  const { event = "" } = useParams({ strict: false });
  const { event: _, ...search } = activitySearch(useSearch({ strict: false }));
  const parts = { organization, search, eventId: event };
  return (
    <>
      <div className={styles.toolbar}>
        <ExportButton {...parts} />
      </div>
      <ActivityList key={event} {...parts} />
    </>
  );
}
