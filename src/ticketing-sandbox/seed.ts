import { createHash } from "node:crypto";
import { z } from "zod";
import { describeIssues, issuesOf } from "../schema/issues.js";
import { buildCoupon, newCoupon } from "./coupons.js";
import { buildGuest, userId } from "./guests.js";
import { isoTimestamp, type SandboxContext } from "./handler.js";
import { approvalStatuses, type PlatformEvent } from "./records.js";
import type { SandboxChange, SandboxEvent } from "./state.js";
import { buildTicketType, newTicketType } from "./ticket-types.js";

/** Events for the sandbox, as written by hand: optional fields have defaults. */
const seedSchema = z.object({
  events: z.array(
    z.object({
      id: z.string().regex(/^evt-[\w-]+$/, { error: "expected an id such as evt-Opening" }),
      name: z.string().min(1),
      start_at: isoTimestamp,
      end_at: isoTimestamp,
      timezone: z.string(),
      description: z.string().nullable().default(null),
      address: z.string().nullable().default(null),
      url: z.string().optional(),
      cover_url: z.string().nullable().default(null),
      visibility: z.enum(["public", "members-only", "private"]).default("public"),
      created_at: isoTimestamp.optional(),
      hosts: z.array(z.object({ name: z.string(), email: z.string().nullable().default(null) })).default([]),
      ticket_types: z
        .array(newTicketType)
        .min(1)
        .default([{ name: "Standard", type: "free" }]),
      guests: z
        .array(
          z.object({
            email: z.email(),
            name: z.string().optional(),
            approval_status: z.enum(approvalStatuses).default("approved"),
            ticket_type: z.string().optional(),
            registered_at: isoTimestamp.optional(),
            checked_in_at: isoTimestamp.nullable().default(null),
            answers: z.record(z.string(), z.unknown()).default({}),
            utm_source: z.string().nullable().default(null),
          }),
        )
        .default([]),
      coupons: z.array(newCoupon).default([]),
    }),
  ),
});

export type SandboxSeed = z.input<typeof seedSchema>;
type SeedEvent = z.output<typeof seedSchema>["events"][number];

export function parseSeed(text: string, source: string): z.output<typeof seedSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${source}: expected valid JSON`);
  }
  const result = seedSchema.safeParse(value);
  if (!result.success) throw new Error(`${source}: ${describeIssues(issuesOf(result.error))}`);
  return result.data;
}

/** Adds the events that the state lacks, leaves the others unchanged, and returns the number added. */
export function applySeed(seed: z.output<typeof seedSchema>, context: SandboxContext): number {
  const missing = seed.events.filter(({ id }) => !context.state.events.has(id));
  for (const event of missing) context.state.commit(changesOf(event, context));
  return missing.length;
}

function changesOf(seed: SeedEvent, context: SandboxContext): SandboxChange[] {
  const stable = { ...context, newId: stableIds(seed.id) };
  const hosts = seed.hosts.map(({ name, email }) => {
    const id = userId(email ?? name);
    return { id, api_id: id, name, email, avatar_url: null };
  });
  const event = buildEvent(seed, hosts[0]?.id ?? userId(seed.id), context.now());
  const state: SandboxEvent = { event, hosts, guests: new Map(), ticketTypes: new Map(), coupons: new Map() };
  const types = seed.ticket_types.map((type) => buildTicketType(stable.newId("evtticktyp"), type));
  const guests = seed.guests.map((guest) => {
    const type = guest.ticket_type === undefined ? types[0] : types.find(({ name }) => name === guest.ticket_type);
    return buildGuest(stable, state, {
      email: guest.email,
      name: guest.name,
      status: guest.approval_status,
      types: type === undefined ? [] : [type],
      registeredAt: guest.registered_at ?? event.created_at,
      checkedInAt: guest.checked_in_at,
      answers: guest.answers,
      source: guest.utm_source,
    });
  });
  const event_id = event.id;
  return [
    { kind: "event", event, hosts },
    ...types.map((ticket_type): SandboxChange => ({ kind: "ticket_type", event_id, ticket_type })),
    ...guests.map((stored): SandboxChange => ({ kind: "guest", event_id, ...stored })),
    ...seed.coupons.map(
      (coupon): SandboxChange => ({ kind: "coupon", event_id, coupon: buildCoupon(stable.newId("cpn"), coupon) }),
    ),
  ];
}

function buildEvent(seed: SeedEvent, owner: string, now: Date): PlatformEvent {
  const minutes = Math.round((Date.parse(seed.end_at) - Date.parse(seed.start_at)) / 60_000);
  return {
    id: seed.id,
    api_id: seed.id,
    calendar_id: "cal-Sandbox",
    user_id: owner,
    name: seed.name,
    start_at: seed.start_at,
    end_at: seed.end_at,
    duration_interval: `PT${Math.floor(minutes / 60)}H${minutes % 60}M`,
    created_at: seed.created_at ?? now.toISOString(),
    timezone: seed.timezone,
    description: seed.description,
    description_md: seed.description,
    geo_address_json: seed.address === null ? null : { full_address: seed.address },
    coordinate: null,
    meeting_url: null,
    cover_url: seed.cover_url,
    url: seed.url ?? `https://luma.example.com/${seed.id}`,
    visibility: seed.visibility,
    registration_questions: questionsOf(seed),
  };
}

function questionsOf(seed: SeedEvent): PlatformEvent["registration_questions"] {
  const names = new Set(seed.guests.flatMap(({ answers }) => Object.keys(answers)));
  return [...names].map((id) => ({ id, label: id.replaceAll("_", " "), question_type: "text", required: false }));
}

/** The same seed yields the same ids on every machine. */
function stableIds(eventId: string): (prefix: string) => string {
  let count = 0;
  return (prefix) => {
    count += 1;
    return `${prefix}-${createHash("sha256").update(`${eventId} ${count}`).digest("hex").slice(0, 15)}`;
  };
}
