import type { z } from "zod";
import { conferenceRow } from "../modules/conferences/schema.js";
import { eventRow } from "../modules/events/schema.js";
import { organizationRow } from "../modules/organizations/schema.js";
import { posterRow } from "../modules/posters/schema.js";
import { registrationRow } from "../modules/registrations/schema.js";
import { segmentRow } from "../modules/run-of-show/schema.js";
import { speakerRow } from "../modules/speakers/schema.js";
import { userRow } from "../modules/users/schema.js";

/** The lists of a document, each named like its table, in an order in which every list follows those it refers to. */
export const listNames = [
  "users",
  "organizations",
  "conferences",
  "events",
  "posters",
  "speakers",
  "registrations",
  "segments",
] as const;

export type ListName = (typeof listNames)[number];

export type KeyColumn = { column: string; foldCase?: true; type?: "timestamptz" };

/** A field of a row that holds the whole set of its rows in another table. */
export type Links = {
  field: string;
  /** The field of an item that names the row it links to; null where the item itself does. */
  reference: string | null;
  table: string;
  owner: string;
  target: string;
  targetList: ListName;
  role: boolean;
  ordered: boolean;
  /** A column of the owner that the target must share, and that the link repeats. */
  scope: string | null;
};

export type Rule = { field: string; refuses: (row: string) => string; message: string };

export type List = {
  name: ListName;
  noun: string;
  schema: z.ZodObject;
  /** Columns that the fields of a row fill, without references. */
  columns: string[];
  /** What a new row takes for a field that the file leaves out, as an SQL expression of type jsonb. */
  defaults: string;
  parent: { field: string; column: string; list: ListName } | null;
  /** What a row without an id is found by, within its parent. */
  key: KeyColumn[];
  /** Whether the database holds each natural key once. */
  keyIsUnique: boolean;
  otherUniqueColumn: string | null;
  /** Whether rows have a position among those of the same parent. */
  ordered: boolean;
  links: Links | null;
  /** Tables that triggers fill from this one. */
  derivedTables: string[];
  rules: Rule[];
};

type Declaration = Pick<List, "noun" | "schema" | "key" | "keyIsUnique"> & Partial<List>;

const ofEvent = { field: "event", column: "event_id", list: "events" } as const;

const declarations: Record<ListName, Declaration> = {
  users: {
    noun: "user",
    schema: userRow,
    defaults: `'{"platform_admin": false}'::jsonb`,
    key: [{ column: "email", foldCase: true }],
    keyIsUnique: true,
  },
  organizations: {
    noun: "organization",
    schema: organizationRow,
    defaults: `'{"social_links": {}}'::jsonb`,
    key: [{ column: "slug" }],
    keyIsUnique: true,
    links: {
      field: "members",
      reference: "email",
      table: "members",
      owner: "organization_id",
      target: "user_id",
      targetList: "users",
      role: true,
      ordered: false,
      scope: null,
    },
  },
  conferences: {
    noun: "conference",
    schema: conferenceRow,
    defaults: "jsonb_build_object('created_at', now())",
    key: [{ column: "slug" }],
    keyIsUnique: true,
    rules: [
      {
        field: "end_date",
        refuses: (row) => `${row}.end_date < ${row}.start_date`,
        message: "expects a date that is not before start_date",
      },
    ],
  },
  events: {
    noun: "event",
    schema: eventRow,
    defaults: "jsonb_build_object('created_at', now(), 'run_of_show_published', false)",
    parent: { field: "conference", column: "conference_id", list: "conferences" },
    key: [{ column: "name" }],
    keyIsUnique: false,
    otherUniqueColumn: "ticketing_event_id",
    links: {
      field: "hosts",
      reference: "organization",
      table: "event_hosts",
      owner: "event_id",
      target: "organization_id",
      targetList: "organizations",
      role: true,
      ordered: true,
      scope: null,
    },
    rules: [
      {
        field: "end_time",
        refuses: (row) => `${row}.end_time <= ${row}.start_time`,
        message: "expects a time after start_time",
      },
    ],
  },
  posters: {
    noun: "poster",
    schema: posterRow,
    defaults: "jsonb_build_object('created_at', now(), 'published', false, 'sort_order', 0, 'metadata', '{}'::jsonb)",
    parent: ofEvent,
    key: [{ column: "image_url" }],
    keyIsUnique: false,
    derivedTables: ["hosted_posters"],
  },
  speakers: {
    noun: "speaker",
    schema: speakerRow,
    defaults: `'{"links": {}, "role": "speaker"}'::jsonb`,
    parent: ofEvent,
    key: [{ column: "name" }],
    keyIsUnique: false,
    ordered: true,
  },
  registrations: {
    noun: "registration",
    schema: registrationRow,
    defaults: "jsonb_build_object('registered_at', now(), 'status', 'pending', 'answers', '{}'::jsonb)",
    parent: ofEvent,
    key: [{ column: "email", foldCase: true }],
    keyIsUnique: true,
    derivedTables: ["rosters", "roster_blocks"],
    rules: [
      {
        field: "checked_in_at",
        refuses: (row) => `${row}.checked_in_at is not null and ${row}.status <> 'approved'`,
        message: "expects null unless status is approved",
      },
      {
        field: "previous_status",
        refuses: (row) => `${row}.previous_status is not null and ${row}.status <> 'declined'`,
        message: "expects null unless status is declined",
      },
    ],
  },
  segments: {
    noun: "segment",
    schema: segmentRow,
    defaults: `'{"kind": "talk"}'::jsonb`,
    parent: ofEvent,
    key: [{ column: "title" }, { column: "start_time", type: "timestamptz" }],
    keyIsUnique: false,
    ordered: true,
    links: {
      field: "speakers",
      reference: null,
      table: "segment_speakers",
      owner: "segment_id",
      target: "speaker_id",
      targetList: "speakers",
      role: false,
      ordered: true,
      scope: "event_id",
    },
  },
};

export const lists: List[] = listNames.map((name) => {
  const declaration = declarations[name];
  const references = [declaration.parent?.field, declaration.links?.field];
  return {
    parent: null,
    otherUniqueColumn: null,
    ordered: false,
    links: null,
    derivedTables: [],
    rules: [],
    defaults: "'{}'::jsonb",
    ...declaration,
    name,
    columns: Object.keys(declaration.schema.shape).filter((field) => !references.includes(field)),
  };
});

export function listNamed(name: ListName): List {
  const found = lists.find((list) => list.name === name);
  if (found === undefined) throw new Error(`There is no list named ${name}`);
  return found;
}
