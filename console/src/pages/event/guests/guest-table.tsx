import { useMemo } from "react";
import type { Guest } from "../../../../../contract/schema/registrations.ts";
import { type DataColumn, DataTable } from "../../../ui/data-table.tsx";
import type { RowSelection } from "../../../ui/row-selection.ts";
import { Time } from "../../../ui/time.tsx";
import { GuestStatusLabel } from "./guest-status.tsx";
import styles from "./guest-table.module.css";

type Props = {
  guests: Guest[];
  zone: string;
  total: number | undefined;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
  selection?: RowSelection | undefined;
  onOpen: (guest: Guest) => void;
  empty: React.ReactNode;
};

const columnsIn = (zone: string): DataColumn<Guest>[] => [
  {
    title: "Guest",
    width: "minmax(0, 2fr)",
    cell: ({ name, email }) => (
      <span className={styles.guest}>
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <span className={styles.email}>{email}</span>
      </span>
    ),
  },
  { title: "State", width: "128px", cell: (guest) => <GuestStatusLabel {...guest} /> },
  {
    title: "Ticket",
    width: "minmax(0, 1fr)",
    wideOnly: true,
    cell: ({ ticket_type }) => (
      <span className="muted" dir="auto">
        {ticket_type ?? "–"}
      </span>
    ),
  },
  {
    title: "Registered",
    width: "112px",
    wideOnly: true,
    cell: ({ registered_at }) => (
      <span className="muted">
        <Time at={registered_at} zone={zone} show="day" />
      </span>
    ),
  },
  {
    title: "Arrived",
    width: "160px",
    wideOnly: true,
    align: "end",
    cell: ({ checked_in_at }) =>
      checked_in_at === null ? <span className="faint">–</span> : <Time at={checked_in_at} zone={zone} show="short" />,
  },
];

const idOf = ({ id }: Guest) => id;
const nameOf = ({ name }: Guest) => name;

export function GuestTable({ guests, zone, total, hasMore, isLoadingMore, onMore, ...rest }: Props) {
  const { selection, onOpen, empty } = rest;
  const columns = useMemo(() => columnsIn(zone), [zone]);
  return (
    <div className={styles.table}>
      <DataTable
        label="Guests"
        columns={columns}
        rows={guests}
        rowKey={idOf}
        rowName={nameOf}
        rowHeight={56}
        {...(total === undefined ? {} : { total })}
        hasMore={hasMore}
        isLoadingMore={isLoadingMore}
        onMore={onMore}
        {...(selection === undefined ? {} : { selection })}
        onRowAction={onOpen}
        empty={empty}
      />
    </div>
  );
}
