import { Link as RouterLink } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { Overview } from "../../../../contract/console/admin.ts";
import { countOf, formatCount } from "../../format/counts.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useOverview } from "./admin-api.ts";
import styles from "./row-list.module.css";

export function AdminOverviewPage() {
  usePageTitle("Administration");
  const { data, error, refetch } = useOverview();
  return (
    <>
      <PageHeader title="Overview" />
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Counts counts={data?.counts} />
          <Section title="Needs attention">
            {data === undefined ? <Loading /> : <Concerns attention={data.attention} />}
          </Section>
        </>
      )}
    </>
  );
}

const counted = [
  ["conferences", "Conferences", "/admin/conferences"],
  ["events", "Events", "/admin/events"],
  ["organizations", "Organizations", "/admin/organizations"],
  ["people", "People", "/admin/people"],
] as const;

function Counts({ counts }: { counts: Overview["counts"] | undefined }) {
  return (
    <nav aria-label="What there is" className={styles.counts}>
      {counted.map(([name, label, to]) => (
        <RouterLink key={name} to={to} className={styles.count}>
          <span className={styles.number}>
            {counts === undefined ? <Skeleton width="56px" height="1.2em" /> : formatCount(counts[name])}
          </span>
          {label}
        </RouterLink>
      ))}
    </nav>
  );
}

function Concerns({ attention }: { attention: Overview["attention"] }) {
  const {
    proposed_events,
    draft_conferences,
    empty_conferences,
    ownerless_organizations,
    expiring_keys,
    unfinished_writes,
  } = attention;
  const none = Object.values(attention).every(({ count }) => count === 0);
  if (none) return <EmptyState icon="check-circle" title="Nothing needs attention" />;
  return (
    <ul className="ruled">
      <Concern
        {...proposed_events}
        text={`${countOf(proposed_events.count, "proposed event")} to decide about`}
        list="events"
        action={
          <ButtonLink to="/admin/events" search={{ proposed: "true" }}>
            Review proposals
          </ButtonLink>
        }
      />
      <Concern
        {...unfinished_writes}
        text={`${countOf(unfinished_writes.count, "write")} to the ticketing platform of the last ${unfinished_writes.days} days without an outcome`}
        hint="It is not known whether the platform carried them out: compare with the platform."
        action={<ButtonLink to="/admin/records">Open records</ButtonLink>}
      />
      <Concern
        {...expiring_keys}
        text={`${countOf(expiring_keys.count, "platform key")} will expire soon`}
        action={<ButtonLink to="/admin/keys">Review keys</ButtonLink>}
      />
      <Concern
        {...ownerless_organizations}
        text={`${countOf(ownerless_organizations.count, "organization")} without an owner`}
        list="organizations"
        action={<FirstLink items={ownerless_organizations.items} list="organizations" verb="Invite an owner" />}
      />
      <Concern
        {...empty_conferences}
        text={`${countOf(empty_conferences.count, "visible conference")} without a visible event`}
        list="conferences"
        action={<FirstLink items={empty_conferences.items} list="conferences" verb="Add events" />}
      />
      <Concern
        {...draft_conferences}
        text={`${countOf(draft_conferences.count, "conference")} in draft`}
        list="conferences"
        action={
          <ButtonLink to="/admin/conferences" search={{ status: "draft" }}>
            Review drafts
          </ButtonLink>
        }
      />
    </ul>
  );
}

type Item = { id: string; name: string };

type List = "organizations" | "conferences" | "events";

type ConcernProps = {
  count: number;
  items?: Item[];
  text: string;
  hint?: string;
  /** Where the items have pages of their own. */
  list?: List;
  action: ReactNode;
};

/** Why it is there, what it is about, and one thing to do. */
function Concern({ count, items = [], text, hint, list, action }: ConcernProps) {
  if (count === 0) return null;
  const more = count - items.length;
  return (
    <li className={styles.concern}>
      <div className={styles.concernText}>
        {text}
        <div className="muted small">
          {hint}
          {items.map(({ id, name }, index) => (
            <Fragment key={id}>
              {index > 0 && ", "}
              {list === undefined ? (
                <bdi>{name}</bdi>
              ) : (
                <Link quiet to={`/admin/${list}/$id`} params={{ id }}>
                  <bdi>{name}</bdi>
                </Link>
              )}
            </Fragment>
          ))}
          {more > 0 && items.length > 0 && ` and ${formatCount(more)} more`}
        </div>
      </div>
      {action}
    </li>
  );
}

type FirstLinkProps = { items: Item[]; list: List; verb: string };

/** With one of them it goes there, with several to the first. */
function FirstLink({ items, list, verb }: FirstLinkProps) {
  const [first, second] = items;
  if (first === undefined) return null;
  return (
    <ButtonLink to={`/admin/${list}/$id`} params={{ id: first.id }}>
      {second === undefined ? verb : "Open the first"}
    </ButtonLink>
  );
}

function Loading() {
  return (
    <div className="column gap-4">
      <Skeleton height="44px" label="Loading" />
      <Skeleton height="44px" />
      <Skeleton height="44px" />
    </div>
  );
}
