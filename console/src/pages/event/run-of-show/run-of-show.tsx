import { useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../../api/session.ts";
import { usePageTitle } from "../../../shell/page-title.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useEvent } from "../event-page.ts";
import { ReadOnlyNotice } from "../read-only-notice.tsx";
import { RunOfShowEditor } from "./run-of-show-editor.tsx";
import { runOfShowQuery } from "./run-of-show-query.ts";

export function RunOfShowPage() {
  const event = useEvent();
  const organization = useOrganization();
  const { data, error, refetch } = useQuery(runOfShowQuery(organization.id, event.id));
  usePageTitle(`Run of show · ${event.name}`);
  if (data === undefined) {
    return error === null ? <RunOfShowSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <ReadOnlyNotice />
      <RunOfShowEditor runOfShow={data} />
    </>
  );
}

function RunOfShowSkeleton() {
  return (
    <div className="column gap-3">
      <Skeleton width="200px" height="36px" label="Loading the run of show" />
      <Skeleton width="60%" height="20px" />
      <Skeleton height="64px" />
      <Skeleton height="120px" />
      <Skeleton height="120px" />
    </div>
  );
}
