import { Link as RouterLink } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { countOf, formatCount, listOf } from "../../format/counts.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Overview, useOverview } from "./admin-api.ts";
import styles from "./row-list.module.css";

export function AdminOverviewPage() {
  usePageTitle("Administration");
  const { data, error, refetch } = useOverview();
  return (
    <>
      <PageHeader title="Administration" description="The whole platform: what there is, and what waits for you." />
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
            {counts === undefined ? <Skeleton width="56px" height="28px" /> : formatCount(counts[name])}
          </span>
          {label}
        </RouterLink>
      ))}
    </nav>
  );
}

function Concerns({ attention }: { attention: Overview["attention"] }) {
  const { draft_conferences, empty_conferences, ownerless_organizations, expiring_keys, unfinished_writes } = attention;
  const none = Object.values(attention).every(({ count }) => count === 0);
  if (none) return <EmptyState icon="check-circle" title="Nothing needs attention" />;
  return (
    <ul className={styles.concerns}>
      <Concern
        {...unfinished_writes}
        text={`${countOf(unfinished_writes.count, "write")} to the ticketing platform of the last ${unfinished_writes.days} days without an outcome`}
        hint="It is not known whether the platform carried them out: compare with the platform."
        action={<ButtonLink to="/admin/records">Open records</ButtonLink>}
      />
      <Concern
        {...expiring_keys}
        text={`${countOf(expiring_keys.count, "platform key")} will expire within 14 days`}
        action={<ButtonLink to="/admin/keys">Review keys</ButtonLink>}
      />
      <Concern
        {...ownerless_organizations}
        text={`${countOf(ownerless_organizations.count, "organization")} without an owner`}
        action={<FirstLink items={ownerless_organizations.items} list="organizations" verb="Invite an owner" />}
      />
      <Concern
        {...empty_conferences}
        text={`${countOf(empty_conferences.count, "visible conference")} without a visible event`}
        action={<FirstLink items={empty_conferences.items} list="conferences" verb="Add events" />}
      />
      <Concern
        {...draft_conferences}
        text={`${countOf(draft_conferences.count, "conference")} in draft`}
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

type ConcernProps = { count: number; items?: Item[]; text: string; hint?: string; action: ReactNode };

/** Why it is there, what it is about, and one thing to do. */
function Concern({ count, items = [], text, hint, action }: ConcernProps) {
  if (count === 0) return null;
  const more = count - items.length;
  const names = [
    ...items.map(({ name }) => name),
    ...(more > 0 && items.length > 0 ? [`${formatCount(more)} more`] : []),
  ];
  return (
    <li className={styles.concern}>
      <div className={styles.concernText}>
        {text}
        <div className={styles.names} dir="auto">
          {hint ?? listOf(names)}
        </div>
      </div>
      {action}
    </li>
  );
}

type FirstLinkProps = { items: Item[]; list: "organizations" | "conferences"; verb: string };

/** With one of them it goes there, with several to the list. */
function FirstLink({ items, list, verb }: FirstLinkProps) {
  const [first, second] = items;
  if (first === undefined || second !== undefined) return <ButtonLink to={`/admin/${list}`}>Show them</ButtonLink>;
  return (
    <ButtonLink to={`/admin/${list}/$id`} params={{ id: first.id }}>
      {verb}
    </ButtonLink>
  );
}

function Loading() {
  return (
    <div className={styles.stack}>
      <Skeleton height="44px" label="Loading" />
      <Skeleton height="44px" />
      <Skeleton height="44px" />
    </div>
  );
}
