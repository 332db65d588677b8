import type { SandboxSeed } from "../src/ticketing-sandbox/seed.js";
import { buildDemoDocument } from "./build-document.js";
import { type DemoContent, readDemoContent } from "./content.js";
import type { DemoDocument, EventRow, RegistrationRow } from "./demo-document.js";

type SeedEvent = SandboxSeed["events"][number];
type TicketingContent = DemoContent["ticketing"];

/** The ticketed events of the demo for the ticketing sandbox: the same guests, plus ticket types and coupons. */
export function buildTicketingSeed(now: Date): SandboxSeed {
  const content = readDemoContent();
  const document = buildDemoDocument({ baseUrl: "", now, content });
  return {
    events: document.events.flatMap((event) =>
      typeof event.ticketing_event_id === "string"
        ? [seedEvent(event.ticketing_event_id, event, document, content.ticketing)]
        : [],
    ),
  };
}

function seedEvent(id: string, event: EventRow, document: DemoDocument, ticketing: TicketingContent): SeedEvent {
  const registrations = document.registrations.filter((registration) => registration.event === event.id);
  return {
    id,
    name: event.name,
    start_at: event.start_time,
    end_at: event.end_time,
    timezone: event.timezone,
    description: event.description ?? null,
    address: event.venue_address ?? null,
    url: event.luma_url ?? `https://luma.example.com/${id}`,
    ...(event.created_at === undefined ? {} : { created_at: event.created_at }),
    hosts: hostsOf(event, document),
    ticket_types: ticketTypesOf(registrations, event.capacity ?? null, ticketing),
    guests: registrations.length > 0 ? registrations.map(guestOf) : staffOf(event, document, ticketing.staff_ticket),
    coupons: couponsOf(event, ticketing),
  };
}

function hostsOf(event: EventRow, { organizations }: DemoDocument): SeedEvent["hosts"] {
  return (event.hosts ?? []).flatMap(({ organization }) =>
    organizations
      .filter(({ slug }) => slug === organization)
      .map(({ name, contact_email }) => ({ name, email: contact_email ?? null })),
  );
}

function ticketTypesOf(
  registrations: RegistrationRow[],
  capacity: number | null,
  { currency, prices_in_cents, default_ticket, extra_ticket_types }: TicketingContent,
): SeedEvent["ticket_types"] {
  const names = new Set(registrations.flatMap(({ ticket_type }) => (ticket_type ? [ticket_type] : [])));
  if (names.size === 0) names.add(default_ticket);
  const sold = [...names].map((name) => {
    const cents = prices_in_cents[name];
    return cents === undefined
      ? { name, type: "free" as const, max_capacity: capacity }
      : { name, type: "paid" as const, cents, currency, max_capacity: capacity };
  });
  return [...sold, ...extra_ticket_types];
}

const statuses = {
  pending: "pending_approval",
  approved: "approved",
  waitlisted: "waitlist",
  declined: "declined",
} as const;

function guestOf(registration: RegistrationRow): NonNullable<SeedEvent["guests"]>[number] {
  return {
    email: registration.email,
    name: registration.name,
    approval_status: statuses[registration.status ?? "pending"],
    ...(registration.ticket_type ? { ticket_type: registration.ticket_type } : {}),
    ...(registration.registered_at === undefined ? {} : { registered_at: registration.registered_at }),
    checked_in_at: registration.checked_in_at ?? null,
    answers: registration.answers ?? {},
    utm_source: registration.source ?? null,
  };
}

/** The guests of an event without registrations: the members of the organizations that host it. */
function staffOf(event: EventRow, { organizations, users }: DemoDocument, ticket: string): SeedEvent["guests"] {
  const slugs = (event.hosts ?? []).map(({ organization }) => organization);
  const members = organizations
    .filter(({ slug }) => slugs.includes(slug))
    .flatMap((organization) => organization.members ?? []);
  return [...new Set(members.map(({ email }) => email))].map((email) => ({
    email,
    name: users.find((user) => user.email === email)?.name ?? email,
    ticket_type: ticket,
  }));
}

function couponsOf(event: EventRow, { coupons }: TicketingContent): SeedEvent["coupons"] {
  return coupons.map(({ valid_until_event_start, ...coupon }) => ({
    ...coupon,
    ...(valid_until_event_start ? { valid_end_at: event.start_time } : {}),
  }));
}
