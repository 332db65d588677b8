import { useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { AttentionList } from "./attention-list.tsx";
import styles from "./dashboard.module.css";
import { useDashboard, useVisit } from "./dashboard-data.ts";
import { FirstSteps } from "./first-steps.tsx";
import { LinksList } from "./links-list.tsx";
import { NewsLine } from "./news-line.tsx";
import { NextEvent } from "./next-event.tsx";
import { PosterWall } from "./poster-wall.tsx";

/** The first page of a host's morning: everything on it is there without a click. */
export function DashboardPage() {
  usePageTitle("Dashboard");
  const organization = useOrganization();
  useVisit(organization.id);
  const { data, error, refetch } = useDashboard(organization.id);
  // What was read before stays while the connection is lost; the frame says so.
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const parts = { organization, dashboard: data };
  const begins = data?.first_steps.events === false;
  const firstSteps = <FirstSteps organization={organization} steps={data?.first_steps} />;
  return (
    // A switch to another organization starts all lists anew.
    <div key={organization.id} className={styles.dashboard}>
      <PageHeader title={organization.name} description={<NewsLine slug={organization.slug} dashboard={data} />} />
      {begins && firstSteps}
      <NextEvent {...parts} />
      <div className={styles.top}>
        <LinksList {...parts} />
        <AttentionList organization={organization} attention={data?.attention} />
      </div>
      {!begins && firstSteps}
      <PosterWall {...parts} />
    </div>
  );
}
