import { useState } from "react";
import type { Host, HostOffer } from "../../../../contract/console/event.ts";
import { useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { ExternalLink } from "../../ui/link.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Section } from "../../ui/section.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import { AddHostDialog } from "./add-host-dialog.tsx";
import { useEvent, useEventPage } from "./event-page.ts";
import { useHostChanges } from "./host-changes.tsx";
import { HostLogo } from "./host-logo.tsx";
import styles from "./hosts.module.css";
import { useOfferChanges } from "./offer-changes.tsx";
import { ReadOnlyNotice } from "./read-only-notice.tsx";

export function HostsPage() {
  const event = useEvent();
  const { hosts, host_offer: offer } = useEventPage();
  const organization = useOrganization();
  const [isAdding, setAdding] = useState(false);
  usePageTitle(`Hosts · ${event.name}`);
  const host = hosts.find(({ role }) => role === "host");
  const mayChange = event.can_edit && event.my_role === "host";
  return (
    <>
      <ReadOnlyNotice />
      {event.can_edit && !mayChange && (
        <div className="space-below">
          <InlineNotice title={`${host?.name ?? "The host"} decides who hosts this event`}>
            {organization.name} is a co-host: it can change everything else about the event, and leave it. Ask{" "}
            {host?.name} to add or remove co-hosts, or to hand the event over.
          </InlineNotice>
        </div>
      )}
      {offer !== null && <OfferNotice offer={offer} />}
      <Section
        title="Hosts"
        description="The host and its co-hosts see and run the event together. Only the host decides who else hosts it."
        actions={
          mayChange && (
            <Button icon="plus" kind="primary" onPress={() => setAdding(true)}>
              Add co-host
            </Button>
          )
        }
      >
        <ul className="ruled">
          {hosts.map((row) => (
            <HostRow
              key={row.id}
              host={row}
              isMine={row.id === organization.id}
              mayChange={mayChange}
              mayLeave={event.can_edit}
            />
          ))}
        </ul>
      </Section>
      {isAdding && <AddHostDialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** The open offer to hand the event over, with what this organization can do about it. */
function OfferNotice({ offer }: { offer: HostOffer }) {
  const event = useEvent();
  const { withdraw, accept, decline } = useOfferChanges({ event, ...offer });
  const isMine = event.my_role === "host";
  const title = isMine
    ? `This event is offered to ${offer.to.name}`
    : `${offer.from.name} offers to make ${offer.to.name} the host`;
  const actions = isMine ? (
    <Button size="small" onPress={() => withdraw()}>
      Withdraw offer
    </Button>
  ) : (
    <div className="flex gap-2">
      <Button size="small" kind="primary" onPress={() => accept()}>
        Accept
      </Button>
      <Button size="small" onPress={() => decline()}>
        Decline
      </Button>
    </div>
  );
  return (
    <div className="space-below">
      <InlineNotice title={title} action={event.can_edit ? actions : undefined}>
        <span>
          Offered <RelativeTime at={offer.offered_at} />.{" "}
          {isMine
            ? `${offer.to.name} becomes the host when it accepts.`
            : `Nothing changes until ${offer.to.name} accepts.`}
        </span>
      </InlineNotice>
    </div>
  );
}

type HostRowProps = { host: Host; isMine: boolean; mayChange: boolean; mayLeave: boolean };

function HostRow({ host, isMine, mayChange, mayLeave }: HostRowProps) {
  const changes = useHostChanges();
  const { name, slug, role, logo_url, website_url } = host;
  return (
    <li className={styles.host}>
      <HostLogo name={name} logo={logo_url} />
      <div className="column fills">
        <span className="breaks medium">
          <bdi>{name}</bdi> {isMine && <span className="muted regular">(your organization)</span>}
        </span>
        <span className={styles.facts}>
          <code>{slug}</code>
          {website_url !== null && <ExternalLink href={website_url}>Website</ExternalLink>}
        </span>
      </div>
      <Badge tone={role === "host" ? "accent" : "neutral"}>{role === "host" ? "Host" : "Co-host"}</Badge>
      {mayChange && role === "co_host" && (
        <Menu label={`Change ${name}`} size="small">
          <MenuItem
            label="Hand the event over"
            hint="Makes this organization the host at once"
            icon="arrow-right"
            onAction={() => changes.handOver(host)}
          />
          <MenuItem
            label="Remove co-host"
            hint="Its people and keys lose access at once"
            icon="trash"
            danger
            onAction={() => changes.remove(host)}
          />
        </Menu>
      )}
      {isMine && role === "co_host" && mayLeave && (
        <Menu label={`Change ${name}`} size="small">
          <MenuItem
            label="Leave the event"
            hint="Your people and keys lose access at once"
            icon="door"
            danger
            onAction={() => changes.leave()}
          />
        </Menu>
      )}
    </li>
  );
}
