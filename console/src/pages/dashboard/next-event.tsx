import type { Organization } from "../../../../contract/console/account.ts";
import type { Dashboard, DashboardEvent } from "../../../../contract/console/organization.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { countOf, formatCount } from "../../format/counts.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { useNow } from "../../ui/use-now.ts";
import { attentionAction, attentionWords } from "../event/attention-words.ts";
import styles from "./next-event.module.css";

const hourMs = 3_600_000;
/** How long before an event the way to its door comes first. */
const doorHours = 12;

/** What comes next: what, when, where, and what to do for it. */
export function NextEvent({
  organization: { slug, role },
  dashboard,
}: {
  organization: Organization;
  dashboard: Dashboard | undefined;
}) {
  const now = useNow();
  if (dashboard === undefined) {
    return (
      <section className={styles.card}>
        <div className={styles.loading}>
          <Skeleton height="100%" label="Loading the next event" />
        </div>
      </section>
    );
  }
  const { next } = dashboard;
  const all = (
    <Link to="/o/$organization/events" params={{ organization: slug }} className="nowrap small">
      All events
    </Link>
  );
  if (next === null) {
    return (
      <section className={styles.card} aria-label="Next event">
        <div className={styles.heading}>
          <span className="muted">No upcoming events. An event appears here when your organization hosts it.</span>
          {all}
        </div>
      </section>
    );
  }
  const isRunning = Date.parse(next.start_time) <= now;
  return (
    <section className={styles.card} aria-labelledby="next-event">
      <div className={styles.heading}>
        <span className="flex centered gap-2 small muted">
          {isRunning ? <Badge tone="success">Now</Badge> : <span>Next event</span>}
          <span>
            {isRunning ? "ends " : "starts "}
            <RelativeTime at={isRunning ? next.end_time : next.start_time} />
          </span>
        </span>
        {all}
      </div>
      <div className={styles.event}>
        <div className="column gap-1 shrinks">
          <h2 id="next-event" className={styles.name}>
            <Link to="/o/$organization/events/$event" params={{ organization: slug, event: next.id }} quiet dir="auto">
              {next.name}
            </Link>
          </h2>
          <p className="breaks muted">
            <Time at={next.start_time} until={next.end_time} zone={next.timezone} />
            {next.venue !== null && (
              <>
                {" "}
                · <bdi>{next.venue}</bdi>
              </>
            )}
          </p>
          <p className="small muted">
            <span>{factsOf(next)}</span> ·{" "}
            <Link to="/o/$organization/events/$event/numbers" params={{ organization: slug, event: next.id }}>
              Numbers<span className="visually-hidden"> of {next.name}</span>
            </Link>
          </p>
        </div>
        <ActionOf event={next} now={now} slug={slug} mayEdit={roleAtLeast(role, "admin")} />
      </div>
    </section>
  );
}

function factsOf({ approved, capacity, pending, checked_in, posters }: DashboardEvent): string {
  return [
    `${countOf(approved, "guest")} approved`,
    ...(capacity === null ? [] : [countOf(capacity, "place")]),
    ...(pending > 0 ? [`${formatCount(pending)} pending`] : []),
    ...(checked_in > 0 ? [`${formatCount(checked_in)} checked in`] : []),
    countOf(posters.published, "published poster"),
  ].join(" · ");
}

type ActionProps = { event: DashboardEvent; now: number; slug: string; mayEdit: boolean };

/** The one thing to do: at the door when it opens soon, otherwise the most urgent of what is missing. */
function ActionOf({ event, now, slug, mayEdit }: ActionProps) {
  const base = `/o/${slug}/events/${event.id}`;
  const [need] = event.needs;
  const isSoon = Date.parse(event.start_time) - now < doorHours * hourMs;
  if (isSoon) {
    return (
      <ButtonLink
        to="/o/$organization/events/$event/door"
        params={{ organization: slug, event: event.id }}
        kind="primary"
        icon="door"
      >
        Open the door list
      </ButtonLink>
    );
  }
  if (need === undefined) {
    return (
      <ButtonLink to="/o/$organization/events/$event" params={{ organization: slug, event: event.id }}>
        Open event
      </ButtonLink>
    );
  }
  const { icon, part, search = {} } = attentionWords[need.kind];
  const place: string = `${base}/${part}`;
  return (
    <ButtonLink to={place} search={search} kind="primary" icon={icon}>
      {attentionAction(need.kind, mayEdit)}
    </ButtonLink>
  );
}
