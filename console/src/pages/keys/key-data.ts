import { queryOptions } from "@tanstack/react-query";
import { noticeDaysOf } from "../../../../contract/nouns.ts";
import type { Scope } from "../../../../contract/scopes.ts";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";

export const keysQuery = (organizationId: string) =>
  queryOptions({
    queryKey: organizationKey(organizationId, "keys"),
    queryFn: ({ signal }) => call("keys", { organization: organizationId }, { signal }),
  });

export const keyQuery = (organizationId: string, keyId: string) =>
  queryOptions({
    queryKey: organizationKey(organizationId, "key", keyId),
    queryFn: ({ signal }) => call("key", { organization: organizationId, key: keyId }, { signal }),
  });

/** What each scope lets an agent do, in the words of whoever grants it. */
export const scopeWords = {
  "conferences:read": {
    title: "Browse conferences and posters",
    hint: "Public conferences, events, schedules, speakers and posters",
  },
  "org:read": { title: "Read the organization", hint: "Profile, hosted events and their numbers" },
  "org:write": { title: "Edit the organization", hint: "Profile, brand colours and logos" },
  "events:write": {
    title: "Manage events",
    hint: "Details, hosts, speakers, posters and run of show; report posted links",
  },
  "registrations:read": { title: "Read guest lists", hint: "Names, e-mail addresses and answers of guests" },
  "registrations:write": {
    title: "Manage guests",
    hint: "Add, approve, decline and check in guests; ticket settings",
  },
} as const satisfies Record<Scope, { title: string; hint: string }>;

export type PresetName = "posting" | "organizer" | "reading" | "custom";

type Preset = { value: PresetName; label: string; hint: string; keyName: string; scopes: Scope[] };

export const presets: Preset[] = [
  {
    value: "posting",
    label: "Posting agent",
    hint: "Finds published posters, posts them and reports the links",
    keyName: "Posting agent",
    scopes: ["conferences:read", "events:write"],
  },
  {
    value: "organizer",
    label: "Organizer agent",
    hint: "Runs your events: details, speakers, posters, run of show and guests",
    keyName: "Organizer agent",
    scopes: ["conferences:read", "org:read", "events:write", "registrations:read", "registrations:write"],
  },
  {
    value: "reading",
    label: "Read only",
    hint: "Looks at events, posters and guest lists, and changes nothing",
    keyName: "Reader",
    scopes: ["conferences:read", "org:read", "registrations:read"],
  },
  { value: "custom", label: "Custom", hint: "Choose what it may do", keyName: "", scopes: [] },
];

export const lifetimes = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "60", label: "60 days" },
  { value: "90", label: "90 days, the longest" },
] as const;

export type Lifetime = (typeof lifetimes)[number]["value"];

/** When people are reminded of a key with this lifetime. */
export const reminderOf = (lifetime: Lifetime): string =>
  `You are reminded on the dashboard ${noticeDaysOf(Number(lifetime))} days before.`;
