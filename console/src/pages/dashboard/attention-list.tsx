import { useState } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import type { AttentionLine, Dashboard, ReceivedOffer } from "../../../../contract/console/organization.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { formatCount } from "../../format/counts.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { attentionAction, attentionWords } from "../event/attention-words.ts";
import { useOfferChanges } from "../event/offer-changes.tsx";
import styles from "./attention-list.module.css";
import { Panel } from "./panel.tsx";
import { ShowMore } from "./show-more.tsx";

const shownAtFirst = 8;

/** What waits for somebody. Each line says why it is there and has one action. */
export function AttentionList({
  organization,
  attention,
}: {
  organization: Organization;
  attention: Dashboard["attention"] | undefined;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const lines = attention?.lines.slice(0, showsAll ? undefined : shownAtFirst);
  const hidden = (attention?.lines.length ?? 0) - (lines?.length ?? 0);
  const named = attention?.lines.filter(({ kind }) => kind === "event").length ?? 0;
  const others = (attention?.lines.length ?? 0) - named;
  const events = attention?.events ?? 0;
  return (
    <Panel title="Needs attention" count={others + events}>
      {lines === undefined ? (
        <LoadingLines />
      ) : lines.length === 0 ? (
        <p className={styles.calm}>
          <Icon name="check-circle" />
          Nothing needs you right now.
        </p>
      ) : (
        <ul className="column">
          {lines.map((line) => (
            <Line key={keyOf(line)} line={line} organization={organization} />
          ))}
        </ul>
      )}
      {hidden > 0 && <ShowMore onPress={() => setShowsAll(true)}>Show {formatCount(hidden)} more</ShowMore>}
      {hidden === 0 && events > named && (
        <p className={styles.beyond}>
          <Link to="/o/$organization/events" params={{ organization: organization.slug }} search={{ needs: "me" }}>
            All {formatCount(events)} events that need you
          </Link>
        </p>
      )}
    </Panel>
  );
}

const keyOf = (line: AttentionLine) => `${line.kind} ${line.kind === "expiring_key" ? line.key.id : line.event.id}`;

function Line({ line, organization }: { line: AttentionLine; organization: Organization }) {
  const base = `/o/${organization.slug}`;
  if (line.kind === "expiring_key") {
    const { name, expires_at } = line.key;
    return (
      <Row icon="key" why={`Key “${name}” expires`} action={ownerAction(organization, `${base}/settings/keys`)}>
        <RelativeTime at={expires_at} />
        {!roleAtLeast(organization.role, "owner") && ". Ask an owner to replace it."}
      </Row>
    );
  }
  if (line.kind === "host_offer") return <OfferLine offer={line} organization={organization} />;
  const { event, needs } = line;
  const [first, ...others] = needs;
  if (first === undefined) return null;
  const { icon, why, part, search = {} } = attentionWords[first.kind];
  const action = attentionAction(first.kind, roleAtLeast(organization.role, "admin"));
  return (
    <Row
      icon={icon}
      why={why(first.count)}
      action={{ label: action, about: event.name, to: `${base}/events/${event.id}/${part}`, search }}
    >
      <span className={styles.event} dir="auto">
        {event.name}
      </span>
      <span>
        {" · "}
        <Time at={event.start_time} zone={event.timezone} show="day" />
        {others.length > 0 && (
          <>
            {" · "}
            <Link
              to="/o/$organization/events/$event"
              params={{ organization: organization.slug, event: event.id }}
              quiet
            >
              {formatCount(others.length)} more
              <span className="visually-hidden"> of {event.name}</span>
            </Link>
          </>
        )}
      </span>
    </Row>
  );
}

/** An event that another organization offers: no page of it can be opened before it is accepted. */
function OfferLine({ offer, organization }: { offer: ReceivedOffer; organization: Organization }) {
  const { accept, decline } = useOfferChanges(offer);
  const { event, from } = offer;
  return (
    <li className={styles.row}>
      <Icon name="arrow-right" className="warning" />
      <div className="column shrinks">
        <span className="breaks medium" dir="auto">
          {from.name} offers to make you the host
        </span>
        <span className={styles.about}>
          <span className={styles.event} dir="auto">
            {event.name}
          </span>
          {!roleAtLeast(organization.role, "admin") && <span>{" · "}Ask an admin to answer.</span>}
        </span>
      </div>
      {roleAtLeast(organization.role, "admin") && (
        <div className="flex gap-2">
          <Button size="small" kind="primary" onPress={() => accept()}>
            Accept<span className="visually-hidden"> {event.name}</span>
          </Button>
          <Button size="small" onPress={() => decline()}>
            Decline<span className="visually-hidden"> {event.name}</span>
          </Button>
        </div>
      )}
    </li>
  );
}

type Action = { label: string; about: string; to: string; search: Record<string, string> };

function ownerAction(organization: Organization, to: string): Action {
  const label = roleAtLeast(organization.role, "owner") ? "Rotate key" : "Open keys";
  return { label, about: "", to, search: {} };
}

type RowProps = { icon: IconName; why: string; action: Action; children: React.ReactNode };

function Row({ icon, why, action, children }: RowProps) {
  return (
    <li className={styles.row}>
      <Icon name={icon} className="warning" />
      <div className="column shrinks">
        <span className="breaks medium" dir="auto">
          {why}
        </span>
        <span className={styles.about}>{children}</span>
      </div>
      <ButtonLink to={action.to} search={action.search} size="small">
        {action.label}
        {action.about !== "" && <span className="visually-hidden"> of {action.about}</span>}
      </ButtonLink>
    </li>
  );
}

function LoadingLines() {
  return (
    <div className="column">
      {["a", "b", "c", "d", "e"].map((key, index) => (
        <div key={key} className={styles.row}>
          <Skeleton width="16px" height="16px" {...(index === 0 ? { label: "Loading" } : {})} />
          <div className="column shrinks">
            <Skeleton width="75%" height="21px" />
            <Skeleton width="50%" height="18px" />
          </div>
          <Skeleton width="96px" height="28px" />
        </div>
      ))}
    </div>
  );
}
