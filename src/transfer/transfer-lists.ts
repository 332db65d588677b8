import { z } from "zod";
import { conferenceRow } from "../../contract/schema/conferences.js";
import { eventRow } from "../../contract/schema/events.js";
import { organizationRow } from "../../contract/schema/organizations.js";
import { posterRow } from "../../contract/schema/posters.js";
import { registrationRow } from "../../contract/schema/registrations.js";
import { segmentRow } from "../../contract/schema/run-of-show.js";
import { speakerRow } from "../../contract/schema/speakers.js";
import { userRow } from "../../contract/schema/users.js";
import { fieldsOf, type Json } from "../schema/json-schema.js";

/** The lists of a document, named like their tables and sorted so that every list follows those it refers to. */
export const transferListNames = [
  "users",
  "organizations",
  "conferences",
  "events",
  "posters",
  "speakers",
  "registrations",
  "segments",
] as const;

export type TransferListName = (typeof transferListNames)[number];

export type NaturalKeyColumn = { column: string; foldCase?: true; type?: "timestamptz" };

/** Columns that repeat those of a referenced row; the lock is the one of the trigger that fills them in otherwise. */
export type Copies = { columns: Record<string, string>; lock: "for share" | "for no key update" | null };

/** A field that holds the complete set of a row's entries in a join table. */
export type JoinTable = {
  field: string;
  /** The field of an entry that identifies the target row; null if the entry is the reference itself. */
  reference: string | null;
  table: string;
  owner: string;
  target: string;
  targetList: TransferListName;
  role: boolean;
  ordered: boolean;
  /** A column that owner and target must have in common and that the join table repeats. */
  scope: string | null;
  /** Of the owner. */
  copies: Copies | null;
};

/** Fields of one row that must agree; the problem is reported at the first. */
export type RowConstraint = { fields: [string, string]; violatedBy: (row: string) => string; message: string };

export type TransferList = {
  name: TransferListName;
  noun: string;
  /** The fields of a new row. */
  schema: z.ZodObject;
  /** The same fields, all optional: a stored row keeps those that the document omits. */
  givenFields: z.ZodObject;
  /** Columns with the same name and value as a field of the schema. */
  columns: string[];
  /** Columns that may hold the path of a stored image. */
  imageColumns: string[];
  parent: { field: string; column: string; list: TransferListName; copies?: Copies } | null;
  /** Identifies a row without an id, within its parent. */
  naturalKey: NaturalKeyColumn[];
  /** Whether a unique index covers the natural key. */
  naturalKeyIsUnique: boolean;
  otherUniqueColumn: string | null;
  /** Whether rows have a position among the rows of the same parent. */
  ordered: boolean;
  joinTable: JoinTable | null;
  /** Tables maintained by triggers on this one. */
  derivedTables: string[];
  /** Columns that a derived table repeats in its indexes. */
  copiedColumns: string[];
  constraints: RowConstraint[];
  /** Columns that sort the exported rows; each must survive an export and import unchanged. */
  exportOrder: string[];
  /** A column that an exported row has only when it is not null. */
  omittedWhenNull: string | null;
};

type ListDeclaration = Pick<TransferList, "noun" | "schema" | "naturalKey" | "naturalKeyIsUnique" | "exportOrder"> &
  Partial<TransferList>;

const eventParent = { field: "event", column: "event_id", list: "events" } as const;

const declarations: Record<TransferListName, ListDeclaration> = {
  users: {
    noun: "user",
    schema: userRow,
    naturalKey: [{ column: "email", foldCase: true }],
    naturalKeyIsUnique: true,
    exportOrder: ['lower(x.email) collate "C"'],
  },
  organizations: {
    noun: "organization",
    schema: organizationRow,
    naturalKey: [{ column: "slug" }],
    naturalKeyIsUnique: true,
    exportOrder: ['x.slug collate "C"'],
    joinTable: {
      field: "members",
      reference: "email",
      table: "members",
      owner: "organization_id",
      target: "user_id",
      targetList: "users",
      role: true,
      ordered: false,
      scope: null,
      copies: null,
    },
  },
  conferences: {
    noun: "conference",
    schema: conferenceRow,
    naturalKey: [{ column: "slug" }],
    naturalKeyIsUnique: true,
    exportOrder: ['x.slug collate "C"'],
    constraints: [
      {
        fields: ["end_date", "start_date"],
        violatedBy: (row) => `${row}.end_date < ${row}.start_date`,
        message: "expected a date on or after start_date",
      },
    ],
  },
  events: {
    noun: "event",
    schema: eventRow,
    parent: {
      field: "conference",
      column: "conference_id",
      list: "conferences",
      copies: { columns: { conference_listed: "listed" }, lock: null },
    },
    naturalKey: [{ column: "name" }],
    naturalKeyIsUnique: false,
    otherUniqueColumn: "ticketing_event_id",
    exportOrder: ["x.start_time", "x.id"],
    joinTable: {
      field: "hosts",
      reference: "organization",
      table: "event_hosts",
      owner: "event_id",
      target: "organization_id",
      targetList: "organizations",
      role: true,
      ordered: true,
      scope: null,
      copies: {
        columns: {
          conference_id: "conference_id",
          category: "category",
          start_time: "start_time",
          listed: "listed",
        },
        lock: "for no key update",
      },
    },
    constraints: [
      {
        fields: ["end_time", "start_time"],
        violatedBy: (row) => `${row}.end_time <= ${row}.start_time`,
        message: "expected a time after start_time",
      },
    ],
  },
  posters: {
    noun: "poster",
    schema: posterRow,
    parent: {
      ...eventParent,
      copies: { columns: { conference_id: "conference_id", listed: "listed" }, lock: "for share" },
    },
    naturalKey: [{ column: "image_url" }],
    naturalKeyIsUnique: false,
    derivedTables: ["hosted_posters", "poster_links"],
    copiedColumns: ["published", "sort_order", "created_at"],
    exportOrder: ["x.event_id", "x.sort_order", "x.created_at", "x.id"],
  },
  speakers: {
    noun: "speaker",
    schema: speakerRow,
    parent: eventParent,
    naturalKey: [{ column: "name" }],
    naturalKeyIsUnique: false,
    ordered: true,
    exportOrder: ["x.event_id", "x.position", "x.id"],
  },
  registrations: {
    noun: "registration",
    schema: registrationRow,
    parent: eventParent,
    naturalKey: [{ column: "email", foldCase: true }],
    naturalKeyIsUnique: true,
    derivedTables: ["rosters"],
    exportOrder: ["x.event_id", "x.registered_at", "x.id"],
    omittedWhenNull: "previous_status",
    constraints: [
      {
        fields: ["checked_in_at", "status"],
        violatedBy: (row) => `${row}.checked_in_at is not null and ${row}.status <> 'approved'`,
        message: "expected null unless status is approved",
      },
      {
        fields: ["previous_status", "status"],
        violatedBy: (row) => `${row}.previous_status is not null and ${row}.status <> 'declined'`,
        message: "expected null unless status is declined",
      },
    ],
  },
  segments: {
    noun: "segment",
    schema: segmentRow,
    parent: eventParent,
    naturalKey: [{ column: "title" }, { column: "start_time", type: "timestamptz" }],
    naturalKeyIsUnique: false,
    ordered: true,
    exportOrder: ["x.event_id", "x.position", "x.id"],
    joinTable: {
      field: "speakers",
      reference: null,
      table: "segment_speakers",
      owner: "segment_id",
      target: "speaker_id",
      targetList: "speakers",
      role: false,
      ordered: true,
      scope: "event_id",
      copies: null,
    },
  },
};

export const transferLists: TransferList[] = transferListNames.map((name) => {
  const declaration = declarations[name];
  const references = [declaration.parent?.field, declaration.joinTable?.field];
  return {
    parent: null,
    otherUniqueColumn: null,
    ordered: false,
    joinTable: null,
    derivedTables: [],
    copiedColumns: [],
    constraints: [],
    omittedWhenNull: null,
    ...declaration,
    name,
    givenFields: withOptionalFields(declaration.schema),
    imageColumns: fieldsOf(declaration.schema)
      .filter(isImage)
      .map((field) => field.name),
    columns: Object.keys(declaration.schema.shape).filter((field) => !references.includes(field)),
  };
});

/** Like `partial()`, which would check a field that is optional already for being omitted twice. */
function withOptionalFields({ shape }: z.ZodObject): z.ZodObject {
  const fields = Object.entries(shape as Record<string, z.ZodType>).map(([name, field]) => [
    name,
    field instanceof z.ZodOptional ? field : field.optional(),
  ]);
  return z.strictObject(Object.fromEntries(fields));
}

function isImage({ field }: { field: Json }): boolean {
  const types = Array.isArray(field.anyOf) ? (field.anyOf as Json[]) : [field];
  return types.some(({ format }) => format === "uri-reference");
}

export function getTransferList(name: TransferListName): TransferList {
  const found = transferLists.find((list) => list.name === name);
  if (found === undefined) throw new Error(`no list named ${name}`);
  return found;
}

/** The table of a list, and those that are written with it. */
export function tablesOf({ name, joinTable, derivedTables }: TransferList): string[] {
  return [name, ...(joinTable === null ? [] : [joinTable.table]), ...derivedTables];
}

/** A natural key column as it is compared, as SQL over an alias of a table with that column. */
export function keyExpression(row: string, key: NaturalKeyColumn): string {
  return key.foldCase ? `lower(${row}.${key.column})` : `${row}.${key.column}`;
}

/** The fields that identify a row without an id. */
export function naturalKeyFields({ parent, naturalKey }: TransferList): string[] {
  return [...(parent === null ? [] : [parent.field]), ...naturalKey.map((key) => key.column)];
}
