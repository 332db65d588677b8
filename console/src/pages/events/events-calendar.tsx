import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import type { DashboardEvent, EventQuery } from "../../../../contract/console/organization.ts";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { type Month, monthOf, movedBy, titleOf, weekdays } from "../../format/calendar.ts";
import { formatCount } from "../../format/counts.ts";
import { formatDay, localZone } from "../../format/times.ts";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { calendarQuery, type EventChanges, type EventSearch } from "./event-search.ts";
import styles from "./events-calendar.module.css";
import { boundsOf, type Day, daysOf } from "./month.ts";

type Props = {
  organization: Organization;
  search: EventSearch;
  onChange: (changes: EventChanges) => void;
};

/** The events of a month, each on the day that it is where it takes place; the month of the next event unless one is chosen. */
export function EventsCalendar({ organization, search, onChange }: Props) {
  const filters = calendarQuery(search);
  const next = useEvents(organization.id, { ...filters, when: "upcoming", limit: "1" }, 1, search.month === undefined);
  const [first] = next.data?.events ?? [];
  const thisMonth = monthOf(Date.now(), localZone());
  const month = search.month ?? (first === undefined ? thisMonth : monthOf(first.start_time, first.timezone));
  const isChosen = search.month !== undefined || !next.isPending;
  const found = useEvents(organization.id, { ...filters, ...boundsOf(month), limit: "200" }, maximumPages, isChosen);
  const go = (to: Month) => onChange({ month: to });
  return (
    <section aria-label="Calendar">
      <header className={styles.header}>
        <h2 className={styles.title} aria-live="polite">
          {isChosen ? titleOf(month) : <Skeleton width="160px" height="28px" />}
        </h2>
        <div className="flex centered gap-1">
          <IconButton icon="chevron-left" label="Previous month" onPress={() => go(movedBy(month, -1))} />
          <Button size="small" onPress={() => go(thisMonth)}>
            This month
          </Button>
          <IconButton icon="chevron-right" label="Next month" onPress={() => go(movedBy(month, 1))} />
        </div>
      </header>
      {found.error !== null && found.data === undefined ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <Skeleton height="480px" label="Loading the month" />
      ) : (
        <MonthGrid month={month} slug={organization.slug} {...found.data} />
      )}
    </section>
  );
}

/** More are not loaded for a month. */
const maximumPages = 5;

function useEvents(organization: string, query: EventQuery, pages: number, enabled: boolean) {
  return useQuery({
    queryKey: organizationKey(organization, "list", "events", "calendar", query),
    queryFn: ({ signal }) => readPages(organization, query, pages, signal),
    enabled,
  });
}

type Found = { events: DashboardEvent[]; isCut: boolean };

async function readPages(organization: string, query: EventQuery, pages: number, signal: AbortSignal): Promise<Found> {
  const events: DashboardEvent[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < pages; page++) {
    const { items, next_cursor } = await call("events", { organization, query: { ...query, cursor } }, { signal });
    events.push(...items);
    if (next_cursor === null) return { events, isCut: false };
    cursor = next_cursor;
  }
  return { events, isCut: true };
}

function MonthGrid({ month, slug, events, isCut }: Found & { month: Month; slug: string }) {
  const { before, days } = daysOf(month, events);
  const today = new Date().toLocaleDateString("sv-SE");
  return (
    <>
      {days.every((day) => day.events.length === 0) && (
        <p className="muted space-below">No events in {titleOf(month)}.</p>
      )}
      {isCut && <p className="muted space-below">The first {formatCount(events.length)} events are shown.</p>}
      <div className={styles.weekdays} aria-hidden>
        {weekdays.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className={styles.grid}>
        <OtherMonth days={before} />
        {days.map((day) => (
          <DayCell key={day.date} day={day} slug={slug} isToday={day.date === today} />
        ))}
        <OtherMonth days={(7 - ((before + days.length) % 7)) % 7} />
      </ol>
    </>
  );
}

/** The days of the week that belong to the month before or after. */
const OtherMonth = ({ days }: { days: number }) =>
  weekdays.slice(0, days).map((name) => <li key={name} className={classes(styles.day, styles.free)} aria-hidden />);

const shownPerDay = 3;

type DayProps = { day: Day; slug: string; isToday: boolean };

function DayCell({ day: { date, number, events }, slug, isToday }: DayProps) {
  const [showsAll, setShowsAll] = useState(false);
  const hidden = showsAll ? 0 : Math.max(0, events.length - shownPerDay);
  const shown = hidden === 0 ? events : events.slice(0, shownPerDay);
  return (
    <li className={classes(styles.day, isToday && styles.today, events.length === 0 && styles.free)}>
      <DayName date={date} number={number} isToday={isToday} />
      {events.length > 0 && (
        <ul className={styles.events}>
          {shown.map((event) => (
            <li key={event.id}>
              <EventChip event={event} slug={slug} />
            </li>
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <Button kind="quiet" size="small" onPress={() => setShowsAll(true)}>
          {formatCount(hidden)} more
        </Button>
      )}
    </li>
  );
}

function DayName({ date, number, isToday }: { date: string; number: number; isToday: boolean }): ReactNode {
  const name = formatDay(`${date}T12:00:00Z`, "UTC");
  return (
    <h3 className={styles.dayName}>
      <span className={styles.number} aria-hidden>
        {number}
      </span>
      <span className={styles.fullName}>
        {name}
        {isToday && ", today"}
      </span>
    </h3>
  );
}

function EventChip({ event, slug }: { event: DashboardEvent; slug: string }) {
  const { id, name, start_time, timezone, status, needs } = event;
  return (
    <Link
      to="/o/$organization/events/$event"
      params={{ organization: slug, event: id }}
      quiet
      className={classes(styles.chip, status === "approved" && styles.approved)}
    >
      <span className={styles.chipTime}>
        <Time at={start_time} zone={timezone} show="clock" />
      </span>
      <span className="fills ellipsis" dir="auto">
        {name}
      </span>
      {needs.length > 0 && <Icon name="alert" size={14} className="warning" />}
      <span className="visually-hidden">
        {status === "approved" && " Approved, not published."}
        {needs.length > 0 && " Needs attention."}
      </span>
    </Link>
  );
}
