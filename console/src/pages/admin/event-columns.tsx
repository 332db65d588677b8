import type { EventRow } from "../../../../contract/console/admin.ts";
import { Link } from "../../ui/link.tsx";
import { Time } from "../../ui/time.tsx";
import type { CardColumn } from "./card-table.tsx";
import { EditRow } from "./edit-button.tsx";
import { ProposalBadge } from "./proposal.tsx";
import styles from "./row-list.module.css";
import { StatusLabel } from "./status.tsx";

export const eventColumns: CardColumn<EventRow>[] = [
  {
    title: "Event",
    width: "70%",
    cell: ({ id, name }) => (
      <Link quiet to="/admin/events/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  {
    title: "Conference",
    cell: ({ conference }) => (
      <Link quiet to="/admin/conferences/$id" params={{ id: conference.id }}>
        {conference.name}
      </Link>
    ),
  },
  { title: "Starts", cell: ({ start_time, timezone }) => <Time at={start_time} zone={timezone} /> },
  { title: "Host", cell: ({ host }) => host ?? <span className={styles.second}>No host</span> },
  {
    title: "Status",
    cell: ({ status, proposal }) => (
      <span className="flex centered gap-2">
        <StatusLabel status={status} />
        {proposal !== null && <ProposalBadge proposal={proposal} />}
      </span>
    ),
  },
  {
    title: "Ticketing",
    cell: ({ ticketing_event_id: id }) =>
      id === null ? (
        <span className={styles.second}>Not linked</span>
      ) : (
        <code className={styles.id} title={id}>
          {id}
        </code>
      ),
  },
  { title: "Actions", isActions: true, cell: ({ id, name }) => <EditRow list="events" id={id} name={name} /> },
];
