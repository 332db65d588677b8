import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import type { ListedProposal } from "../../../../contract/schema/proposals.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Link } from "../../ui/link.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { Panel } from "../dashboard/panel.tsx";
import styles from "./proposals.module.css";
import { proposalsQuery } from "./proposals-data.ts";

const ProposeDialog = lazyPart(() => import("./propose-dialog.tsx"), "ProposeDialog");

/** For admins of an organization that hosts an event of a conference to come. */
export function ProposeButton({ organization }: { organization: Organization }) {
  const { data } = useQuery(proposalsQuery(organization.id));
  const [isOpen, setOpen] = useState(false);
  if (!roleAtLeast(organization.role, "admin") || data === undefined || data.conferences.length === 0) return null;
  return (
    <>
      <Button size="small" icon="plus" onPress={() => setOpen(true)}>
        Propose event
      </Button>
      {isOpen && (
        <Suspense>
          <ProposeDialog organization={organization} conferences={data.conferences} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The drafts that wait for the administrators of the platform, or that they have returned. Nothing without any. */
export function Proposals({ organization }: { organization: Organization }) {
  const { data } = useQuery(proposalsQuery(organization.id));
  if (data === undefined || data.proposals.length === 0) return null;
  return (
    <Panel title="Proposed events" count={data.proposals.length}>
      <ul className="ruled">
        {data.proposals.map((proposal) => (
          <Row key={proposal.event.id} proposal={proposal} slug={organization.slug} />
        ))}
      </ul>
    </Panel>
  );
}

function Row({ proposal, slug }: { proposal: ListedProposal; slug: string }) {
  const { event, conference, proposed_at, returned_at, return_reason } = proposal;
  return (
    <li className={styles.row}>
      <div className="column shrinks">
        <span className="flex wrap centered gap-2 medium">
          <Link to="/o/$organization/events/$event" params={{ organization: slug, event: event.id }} quiet dir="auto">
            {event.name}
          </Link>
          {returned_at === null ? <Badge>Waiting</Badge> : <Badge tone="warning">Returned</Badge>}
        </span>
        <span className="breaks muted small">
          <Time at={event.start_time} until={event.end_time} zone={event.timezone} />
          {" · "}
          <bdi>{conference.name}</bdi>
        </span>
        {return_reason !== null && (
          <span className="breaks keeps-lines small" dir="auto">
            {return_reason}
          </span>
        )}
      </div>
      <span className="muted small">
        {returned_at === null ? "Proposed" : "Returned"} <RelativeTime at={returned_at ?? proposed_at} />
      </span>
    </li>
  );
}
