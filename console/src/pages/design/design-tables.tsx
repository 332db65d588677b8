import { Badge, Status } from "../../ui/badge.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { useRowSelection } from "../../ui/row-selection.ts";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";

type Guest = { id: string; name: string; email: string; state: "Approved" | "Pending" };

const names = [
  "Ana Silva",
  "Bjørn Ødegård",
  "عبد الرحمن الخطيب",
  "A very long name that nobody expects in a narrow column",
];

const guests: Guest[] = Array.from({ length: 20_000 }, (_, index) => ({
  id: String(index),
  name: `${names[index % names.length]} ${index}`,
  email: `guest${index}@example.org`,
  state: index % 3 === 0 ? "Pending" : "Approved",
}));

const keys = [
  { name: "Posting agent", prefix: "svc_live_7Kq2", state: "Active" },
  { name: "Old laptop", prefix: "svc_live_9f0a", state: "Revoked" },
];

export function DesignTables() {
  const selection = useRowSelection();
  return (
    <>
      <Section title="Table">
        <Table
          caption="Keys"
          rows={keys}
          rowKey={({ name }) => name}
          columns={[
            { title: "Name", cell: ({ name }) => name },
            { title: "First characters", cell: ({ prefix }) => <code>{prefix}…</code>, wideOnly: true },
            {
              title: "State",
              cell: ({ state }) => <Status tone={state === "Active" ? "success" : "danger"}>{state}</Status>,
            },
            { title: "Requests", cell: () => "1,204", align: "end" },
          ]}
        />
      </Section>
      <Section title="Data table" actions={<Badge>{selection.keys.size} selected</Badge>}>
        <DataTable
          label="Guests"
          rows={guests}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          selection={selection}
          onRowAction={() => {}}
          columns={[
            { title: "Name", width: "minmax(0, 2fr)", cell: ({ name }) => <span dir="auto">{name}</span> },
            { title: "E-mail", width: "minmax(0, 2fr)", cell: ({ email }) => email, wideOnly: true },
            {
              title: "State",
              width: "120px",
              cell: ({ state }) => <Status tone={state === "Approved" ? "success" : "warning"}>{state}</Status>,
            },
          ]}
        />
      </Section>
    </>
  );
}
