import { useState } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import type { Dashboard, DashboardEvent } from "../../../../contract/console/organization.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/paging.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { countOf, formatCount } from "../../format/counts.ts";
import { formatDay } from "../../format/times.ts";
import { Badge } from "../../ui/badge.tsx";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { type EventGroup, groupByConference } from "./event-groups.ts";
import styles from "./event-list.module.css";
import { Panel } from "./panel.tsx";
import { ProposeButton } from "./proposals.tsx";
import { ShowMore } from "./show-more.tsx";

type When = "upcoming" | "past";

const times: { value: When; label: string }[] = [
  { value: "upcoming", label: "Upcoming" },
  { value: "past", label: "Past" },
];

/** The organization's events by conference, each in its own time zone. */
export function EventList({
  organization,
  dashboard,
}: {
  organization: Organization;
  dashboard: Dashboard | undefined;
}) {
  const [when, setWhen] = useState<When>("upcoming");
  const filters = { when };
  const pages = usePages(
    organizationKey(organization.id, "list", "events", filters),
    (cursor, signal) => call("events", { organization: organization.id, query: { ...filters, cursor } }, { signal }),
    dashboard === undefined ? { items: [], next_cursor: null } : when === "upcoming" ? dashboard.events : undefined,
  );
  return (
    <Panel
      title="Events"
      actions={
        <div className="flex centered gap-3">
          <ProposeButton organization={organization} />
          <ChoiceButtons look="chips" label="Time of the events" options={times} value={when} onChange={setWhen} />
        </div>
      }
    >
      {pages.error !== null ? (
        <ErrorState error={pages.error} onRetry={pages.retry} />
      ) : dashboard === undefined || pages.isLoading ? (
        <LoadingEvents />
      ) : pages.items.length === 0 ? (
        <p className={styles.empty}>
          {when === "upcoming"
            ? "No upcoming events. An event appears here when your organization is its host or co-host; ask the organizers of the conference."
            : "No past events yet."}
        </p>
      ) : (
        groupByConference(pages.items).map((group) => (
          <Conference key={group.conference.id} group={group} slug={organization.slug} />
        ))
      )}
      {pages.hasMore && pages.items.length > 0 && (
        <ShowMore isPending={pages.isLoadingMore} onPress={pages.showMore}>
          Show more events
        </ShowMore>
      )}
    </Panel>
  );
}

function Conference({ group: { conference, events }, slug }: { group: EventGroup; slug: string }) {
  return (
    <div className={styles.conference}>
      <h3 className={styles.heading} dir="auto">
        {conference.name}
        <span className={styles.place}>
          {conference.city}, {daysOf(conference)}
        </span>
      </h3>
      <ul>
        {events.map((event) => (
          <EventRow key={event.id} event={event} slug={slug} />
        ))}
      </ul>
    </div>
  );
}

/** Dates of a conference are days without a time: noon keeps them from moving to another day. */
function daysOf({ start_date, end_date }: DashboardEvent["conference"]): string {
  const [first, last] = [start_date, end_date].map((date) => formatDay(`${date}T12:00:00Z`, "UTC"));
  return first === last ? `${first}` : `${first} – ${last}`;
}

function EventRow({ event, slug }: { event: DashboardEvent; slug: string }) {
  const { posters, capacity, approved, pending } = event;
  const params = { organization: slug, event: event.id };
  const guests = capacity === null ? formatCount(approved) : `${formatCount(approved)} of ${formatCount(capacity)}`;
  return (
    <li className={styles.row}>
      <div className="column shrinks">
        <span className={styles.name}>
          <Link to="/o/$organization/events/$event" params={params} quiet dir="auto">
            {event.name}
          </Link>
          {event.role === "co_host" && <Badge>Co-host</Badge>}
        </span>
        <span className="breaks muted small">
          <Time at={event.start_time} until={event.end_time} zone={event.timezone} />
          {event.venue !== null && <span dir="auto"> · {event.venue}</span>}
        </span>
      </div>
      <div className={styles.counts}>
        <Link to="/o/$organization/events/$event/guests" params={params} quiet>
          {guests} approved
        </Link>
        {pending > 0 && <Badge tone="warning">{formatCount(pending)} pending</Badge>}
      </div>
      <div className={styles.counts}>
        <Link to="/o/$organization/events/$event/posters" params={params} quiet>
          {countOf(posters.published, "poster")}
        </Link>
        {posters.unposted > 0 && <Badge tone="warning">{formatCount(posters.unposted)} not posted</Badge>}
      </div>
    </li>
  );
}

function LoadingEvents() {
  return (
    <div className={styles.conference}>
      <div className={styles.heading}>
        <Skeleton width="260px" height="20px" />
      </div>
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className={styles.row}>
          <div className="column shrinks">
            <Skeleton width="50%" height="21px" />
            <Skeleton width="70%" height="18px" />
          </div>
          <Skeleton width="110px" height="20px" />
          <Skeleton width="90px" height="20px" />
        </div>
      ))}
    </div>
  );
}
