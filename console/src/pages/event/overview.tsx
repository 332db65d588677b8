import { Suspense, useState } from "react";
import { attentionOf, type EventFacts } from "../../../../contract/attention.ts";
import type { EventPage } from "../../../../contract/console/event.ts";
import { useOrganization } from "../../api/session.ts";
import { useHasDraft } from "../../drafts/use-draft.ts";
import { categoryLabels } from "../../format/categories.ts";
import { formatCount } from "../../format/counts.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button, ButtonLink, ExternalButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { KeyValueList } from "../../ui/key-value.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Link } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { attentionAction, attentionWords } from "./attention-words.ts";
import { detailsDraft, tiers } from "./details-fields.ts";
import { type CurrentEvent, useEvent, useEventPage } from "./event-page.ts";
import styles from "./overview.module.css";
import { ReadOnlyNotice } from "./read-only-notice.tsx";

/** Loaded when somebody edits: most people come to look. */
const DetailsForm = lazyPart(() => import("./details-form.tsx"), "DetailsForm");

export function OverviewPage() {
  const event = useEvent();
  const page = useEventPage();
  // What somebody has begun to edit is there when they come back.
  const [isEditing, setEditing] = useState(useHasDraft(detailsDraft(event.id)) && event.can_edit);
  usePageTitle(event.name);
  return (
    <>
      <ReadOnlyNotice />
      <Counts page={page} />
      <AttentionList page={page} />
      <Section
        title={isEditing ? "Edit details" : "Details"}
        actions={
          event.can_edit &&
          !isEditing && (
            <Button icon="edit" onPress={() => setEditing(true)}>
              Edit details
            </Button>
          )
        }
      >
        {isEditing ? (
          <Suspense fallback={<Details event={event} />}>
            <DetailsForm event={event} onClose={() => setEditing(false)} />
          </Suspense>
        ) : (
          <Details event={event} />
        )}
      </Section>
      <PublicLinks event={event} />
    </>
  );
}

function useParts() {
  const { slug } = useOrganization();
  const { id } = useEvent();
  return (part: string) => `/o/${slug}/events/${id}${part === "" ? "" : `/${part}`}`;
}

function Counts({ page }: { page: EventPage }) {
  const partOf = useParts();
  const { guests, posters, speakers, segments, event } = page;
  const counts = [
    {
      part: "guests",
      label: "Approved guests",
      value: formatCount(guests.approved),
      hint: event.capacity === null ? "No limit set" : `of ${formatCount(event.capacity)} places`,
    },
    {
      part: "guests",
      label: "Checked in",
      value: formatCount(guests.checked_in),
      hint: guests.waitlisted === 0 ? "Nobody is waitlisted" : `${formatCount(guests.waitlisted)} waitlisted`,
    },
    {
      part: "run-of-show",
      label: "Segments",
      value: formatCount(segments),
      hint: event.run_of_show_published ? "Run of show published" : "Run of show not published",
    },
    {
      part: "speakers",
      label: "Speakers",
      value: formatCount(speakers.all),
      hint:
        speakers.without_photo === 0 ? "All with a photo" : `${formatCount(speakers.without_photo)} without a photo`,
    },
    {
      part: "posters",
      label: "Published posters",
      value: formatCount(posters.published),
      hint: posters.drafts === 0 ? "No drafts" : `${formatCount(posters.drafts)} in draft`,
    },
  ];
  return (
    <ul className={styles.counts} aria-label="In numbers">
      {counts.map(({ part, label, value, hint }) => (
        <li key={label}>
          <Link quiet to={partOf(part)} className={styles.count}>
            <span className="muted small">{label}</span>
            <span className={styles.countValue}>{value}</span>
            <span className="muted small">{hint}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function factsOf({ event, guests, posters, speakers, segments }: EventPage): EventFacts {
  return { ...event, ...guests, posters, speakers, has_segments: segments > 0 };
}

function AttentionList({ page }: { page: EventPage }) {
  const partOf = useParts();
  const { can_edit: canEdit } = useEvent();
  if (page.cancelled_at !== null) return null;
  const items = attentionOf(factsOf(page)).map(({ kind, count }) => ({ ...attentionWords[kind], kind, count }));
  if (items.length === 0) return null;
  return (
    <Section title="Needs attention">
      <ul className="ruled">
        {items.map(({ kind, count, icon, why, part, search = {} }) => (
          <li key={kind} className={styles.attentionItem}>
            <Icon name={icon} className="warning" />
            <span className={styles.why}>{why(count)}</span>
            <ButtonLink size="small" to={partOf(part)} search={search}>
              {attentionAction(kind, canEdit)}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Details({ event }: { event: CurrentEvent }) {
  const { start_time, end_time, timezone, venue, venue_address, capacity, description } = event;
  return (
    <KeyValueList
      items={[
        { name: "When", value: <Time at={start_time} until={end_time} zone={timezone} /> },
        { name: "Time zone", value: timezone },
        { name: "Venue", value: venue },
        { name: "Venue address", value: venue_address },
        { name: "Capacity", value: capacity === null ? "No limit" : formatCount(capacity) },
        { name: "Category", value: categoryLabels[event.category] },
        { name: "Tier", value: event.tier === null ? null : tiers[event.tier] },
        { name: "Description", value: description === null ? null : <p className="keeps-lines">{description}</p> },
        { name: "Tickets", value: event.ticketing_linked ? "Connected to the ticketing service" : "Not connected" },
        { name: "Last changed", value: <RelativeTime at={event.updated_at} zone={timezone} /> },
      ]}
    />
  );
}

function PublicLinks({ event }: { event: CurrentEvent }) {
  const { slug } = useOrganization();
  const { luma_url, tile_image_url } = event;
  return (
    <Section title="Links">
      <ul className="ruled">
        <li className={styles.link}>
          <span className={styles.linkName}>Check-in at the door</span>
          <span className={styles.address}>For phones and tablets; works with a bad connection</span>
          <ButtonLink
            size="small"
            icon="door"
            to="/o/$organization/events/$event/door"
            params={{ organization: slug, event: event.id }}
          >
            Open
          </ButtonLink>
        </li>
        <PublicLink name="Ticketing page" address={luma_url} />
        <PublicLink name="Tile image" address={tile_image_url} />
      </ul>
    </Section>
  );
}

function PublicLink({ name, address }: { name: string; address: string | null }) {
  return (
    <li className={styles.link}>
      <span className={styles.linkName}>{name}</span>
      {address === null ? (
        <span className="faint">Not set</span>
      ) : (
        <>
          <span className={styles.address} title={address}>
            {address}
          </span>
          <span className="flex centered gap-1">
            <CopyButton text={address} what={`address of ${name.toLowerCase()}`} compact />
            <ExternalButtonLink size="small" href={address} icon="external">
              Open<span className="visually-hidden"> {name} in a new tab</span>
            </ExternalButtonLink>
          </span>
        </>
      )}
    </li>
  );
}
