import { useState } from "react";
import type { ConferenceDetails } from "../../../../contract/console/admin.ts";
import { categoryLabels } from "../../format/categories.ts";
import { countOf } from "../../format/counts.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { KeyValueList } from "../../ui/key-value.tsx";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { useRows } from "./admin-api.ts";
import { formatDates } from "./dates.ts";
import { detailPage } from "./detail-page.tsx";
import { EditButton } from "./edit-button.tsx";
import { eventColumns } from "./event-columns.tsx";
import { lazyForm } from "./lazy-form.tsx";
import { RowList } from "./row-list.tsx";
import { StatusLabel, StatusMenu } from "./status.tsx";
import { conferenceWarnings } from "./status-warnings.ts";

const EventForm = lazyForm(async () => (await import("./event-form.tsx")).EventForm);

export const ConferencePage = detailPage("conferences", "Conference", Loaded);

function Loaded({ row: conference }: { row: ConferenceDetails }) {
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <PageHeader
        eyebrow={<Link to="/admin/conferences">Conferences</Link>}
        title={conference.name}
        description={<StatusLabel status={conference.status} />}
        actions={
          <>
            <EditButton list="conferences" id={conference.id} name={conference.name} />
            <StatusMenu
              noun="conference"
              id={conference.id}
              name={conference.name}
              status={conference.status}
              warnings={(status) => conferenceWarnings(conference.events_by_status, status)}
            />
          </>
        }
      />
      <KeyValueList
        items={[
          { name: "Dates", value: formatDates(conference.start_date, conference.end_date) },
          { name: "Place", value: `${conference.city} (${conference.timezone})` },
          { name: "Category", value: categoryLabels[conference.category] },
          { name: "Slug", value: <code>{conference.slug}</code> },
          {
            name: "Keys",
            value: <Link to="/admin/keys">{countOf(conference.keys, "conference key")}</Link>,
          },
          { name: "Description", value: conference.description },
        ]}
      />
      <Events conference={conference} onAdd={() => setAdding(true)} />
      {isAdding && <EventForm conference={conference} onClose={() => setAdding(false)} />}
    </>
  );
}

function Events({ conference, onAdd }: { conference: ConferenceDetails; onAdd: () => void }) {
  const list = useRows("events", { conference: conference.id });
  const { draft, approved, published, archived } = conference.events_by_status;
  const add = (
    <Button icon="plus" onPress={onAdd}>
      Create event
    </Button>
  );
  return (
    <Section
      title="Events"
      description={`${countOf(published + approved, "visible event")}, ${countOf(draft, "draft")}, ${archived} archived`}
      actions={
        <>
          <ButtonLink kind="quiet" to="/admin/events" search={{ conference: conference.id }}>
            Search in them
          </ButtonLink>
          {add}
        </>
      }
    >
      <RowList
        list={list}
        caption={`Events of ${conference.name}, the latest first`}
        columns={eventColumns.filter(({ title }) => title !== "Conference")}
        empty={
          <EmptyState icon="list" title="No events yet" action={add}>
            An event has a host: the organization whose people and agents manage it.
          </EmptyState>
        }
      />
    </Section>
  );
}
