import { useQuery } from "@tanstack/react-query";
import { Outlet, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import type { EventPage } from "../../../../contract/console/event.ts";
import { listedStatuses, type Status } from "../../../../contract/nouns.ts";
import { isApiError } from "../../api/api-error.ts";
import { useOrganization } from "../../api/session.ts";
import { NotFoundPage } from "../../shell/problem-pages.tsx";
import { Status as StatusBadge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Tab, Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./event-frame.module.css";
import { EventMenu } from "./event-menu.tsx";
import { currentEvent, EventContext, eventQuery } from "./event-page.ts";
import { EventState } from "./event-state.tsx";
import { countIn } from "./guests/guests-api.ts";

type TabDeclaration = { path: string; label: string; count?: (page: EventPage) => number };

const tabs: TabDeclaration[] = [
  { path: "", label: "Overview" },
  // All who are listed there: also those who were declined.
  { path: "/guests", label: "Guests", count: ({ guests }) => countIn(guests, "all") },
  { path: "/run-of-show", label: "Run of show", count: ({ segments }) => segments },
  { path: "/speakers", label: "Speakers", count: ({ speakers }) => speakers.all },
  { path: "/posters", label: "Posters", count: ({ posters }) => posters.drafts + posters.published },
  { path: "/hosts", label: "Hosts", count: ({ hosts }) => hosts.length },
  { path: "/numbers", label: "Numbers" },
  { path: "/activity", label: "Activity" },
];

/** What all pages of an event have in common. They get the event with useEvent(). */
export function EventFrame() {
  const organization = useOrganization();
  const { event: eventId = "" } = useParams({ strict: false });
  const { data: page, error, refetch } = useQuery(eventQuery(organization.id, eventId));
  const value = useMemo(
    () => (page === undefined ? null : { page, current: currentEvent(page, organization) }),
    [page, organization],
  );
  const base = `/o/${organization.slug}/events/${eventId}`;
  if (value === null && error !== null) {
    if (isApiError(error, "not_found") || isApiError(error, "invalid_input")) return <NotFoundPage />;
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      {value === null ? <HeaderSkeleton /> : <EventHeader page={value.page} organization={organization.slug} />}
      <Tabs label="Parts of the event">
        {tabs.map(({ path, label, count }) => (
          <Tab
            key={path}
            to={`${base}${path}`}
            activeOptions={{ exact: path === "" }}
            count={value === null ? undefined : count?.(value.page) || undefined}
          >
            {label}
          </Tab>
        ))}
      </Tabs>
      <div className={styles.panel}>
        {value === null ? (
          <PanelSkeleton />
        ) : (
          <EventContext value={value}>
            <EventState page={value.page} />
            <Outlet />
          </EventContext>
        )}
      </div>
    </>
  );
}

const isListed = (status: Status) => listedStatuses.some((listed) => listed === status);

const statuses = { draft: "Proposed", approved: "Approved", published: "Published", archived: "Cancelled" };

function EventHeader({ page, organization }: { page: EventPage; organization: string }) {
  const { event, proposal } = page;
  const { name, start_time, end_time, timezone, venue, conference, status } = event;
  return (
    <PageHeader
      eyebrow={
        <span dir="auto">
          <Link quiet to="/o/$organization/events" params={{ organization }}>
            Events
          </Link>{" "}
          / {conference.name}
        </span>
      }
      title={name}
      description={
        <span className={styles.facts}>
          <Time at={start_time} until={end_time} zone={timezone} />
          {venue !== null && <bdi>{venue}</bdi>}
          <StatusBadge tone={status === "published" ? "success" : "neutral"}>
            {proposal?.returned_at ? "Returned" : statuses[status]}
          </StatusBadge>
        </span>
      }
      actions={
        <>
          {isListed(event.status) && (
            <ButtonLink to="/o/$organization/events/$event/door" params={{ organization, event: event.id }} icon="door">
              Open the door list
            </ButtonLink>
          )}
          <EventMenu page={page} />
        </>
      }
    />
  );
}

/** As high as the header, so that nothing moves when the event arrives. */
function HeaderSkeleton() {
  return (
    <div className={styles.headerSkeleton}>
      <Skeleton width="180px" height="18px" label="Loading the event" />
      <Skeleton width="min(420px, 90%)" height="34px" />
      <Skeleton width="min(320px, 80%)" height="20px" />
    </div>
  );
}

function PanelSkeleton() {
  return (
    <div className="column gap-3">
      <Skeleton height="20px" width="60%" />
      <Skeleton height="20px" width="72%" />
      <Skeleton height="20px" width="54%" />
    </div>
  );
}
