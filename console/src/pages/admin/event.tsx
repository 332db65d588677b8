import { useState } from "react";
import type { AdminEventDetails } from "../../../../contract/console/admin.ts";
import { categoryLabels } from "../../format/categories.ts";
import { countOf } from "../../format/counts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { KeyValueList } from "../../ui/key-value.tsx";
import { ExternalLink, Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { CardTable } from "./card-table.tsx";
import { detailPage } from "./detail-page.tsx";
import { EditButton } from "./edit-button.tsx";
import { lazyForm } from "./lazy-form.tsx";
import { ProposalSection } from "./proposal.tsx";
import { StatusLabel, StatusMenu } from "./status.tsx";
import { eventWarnings } from "./status-warnings.ts";

const TicketingForm = lazyForm(async () => (await import("./event-forms.tsx")).TicketingForm);
const HostForm = lazyForm(async () => (await import("./event-forms.tsx")).HostForm);

export const EventPage = detailPage("events", "Event", Loaded);

function Loaded({ row: event }: { row: AdminEventDetails }) {
  const [open, setOpen] = useState<"ticketing" | "host">();
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHeader
        eyebrow={
          <Link to="/admin/conferences/$id" params={{ id: event.conference.id }}>
            {event.conference.name}
          </Link>
        }
        title={event.name}
        description={<StatusLabel status={event.status} />}
        actions={
          <>
            <EditButton list="events" id={event.id} name={event.name} />
            <StatusMenu
              noun="event"
              id={event.id}
              name={event.name}
              status={event.status}
              warnings={(status) => eventWarnings(event, status)}
            />
          </>
        }
      />
      {event.proposal !== null && <ProposalSection event={event} proposal={event.proposal} />}
      <KeyValueList
        items={[
          ...(event.cancelled_at === null
            ? []
            : [{ name: "Cancelled by its host", value: <Time at={event.cancelled_at} zone={event.timezone} /> }]),
          { name: "Time", value: <Time at={event.start_time} until={event.end_time} zone={event.timezone} /> },
          { name: "Venue", value: event.venue },
          { name: "Category", value: categoryLabels[event.category] },
          { name: "Guests", value: countOf(event.registrations, "registration") },
          { name: "Posters", value: countOf(event.posters, "poster") },
          {
            name: "History",
            value: (
              <Link to="/admin/records" search={{ event: event.id }}>
                Show records
              </Link>
            ),
          },
        ]}
      />
      <Ticketing event={event} onEdit={() => setOpen("ticketing")} />
      <Hosts event={event} onSet={() => setOpen("host")} />
      {open === "ticketing" && <TicketingForm event={event} onClose={close} />}
      {open === "host" && <HostForm event={event} onClose={close} />}
    </>
  );
}

function Ticketing({ event, onEdit }: { event: AdminEventDetails; onEdit: () => void }) {
  return (
    <Section
      title="Ticketing"
      description="With a link, the hosts' agents reach guests and tickets on the ticketing platform."
      actions={
        <Button icon="link" onPress={onEdit}>
          {event.ticketing_event_id === null ? "Link event" : "Edit link"}
        </Button>
      }
    >
      <KeyValueList
        items={[
          {
            name: "Event id",
            value: event.ticketing_event_id === null ? null : <code>{event.ticketing_event_id}</code>,
          },
          {
            name: "Public page",
            value: event.luma_url === null ? null : <ExternalLink href={event.luma_url}>{event.luma_url}</ExternalLink>,
          },
        ]}
      />
    </Section>
  );
}

function Hosts({ event, onSet }: { event: AdminEventDetails; onSet: () => void }) {
  return (
    <Section title="Hosts" actions={<Button onPress={onSet}>Set host</Button>}>
      {event.hosts.length === 0 ? (
        <p>Nobody hosts this event, so nobody can manage it. Set its host.</p>
      ) : (
        <CardTable
          caption="Organizations that host this event"
          rows={event.hosts}
          rowKey={({ id }) => id}
          columns={[
            {
              title: "Organization",
              cell: ({ id, name }) => (
                <Link quiet to="/admin/organizations/$id" params={{ id }}>
                  {name}
                </Link>
              ),
            },
            { title: "Role", cell: ({ role }) => <Badge>{role === "host" ? "Host" : "Co-host"}</Badge> },
          ]}
        />
      )}
    </Section>
  );
}
