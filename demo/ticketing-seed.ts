import type { Seed } from "../src/ticketing-sandbox/seed.js";
import type { EventRow, ImportDocument, RegistrationRow } from "./import-document.js";

type SeedEvent = Seed["events"][number];

/** The linked events of the demo as the platform would know them: same guests, plus ticket types and coupons. */
export function demoSeed(document: ImportDocument): Seed {
  return {
    events: document.events.flatMap((event) =>
      typeof event.ticketing_event_id === "string" ? [seedEvent(event.ticketing_event_id, event, document)] : [],
    ),
  };
}

function seedEvent(id: string, event: EventRow, document: ImportDocument): SeedEvent {
  const guests = document.registrations.filter((registration) => registration.event === event.id);
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
    ticket_types: ticketTypesOf(guests, event.capacity ?? null),
    guests: guests.length > 0 ? guests.map(guestOf) : staffOf(event, document),
    coupons: couponsOf(event),
  };
}

function hostsOf(event: EventRow, { organizations }: ImportDocument): { name: string; email: string | null }[] {
  return (event.hosts ?? []).flatMap(({ organization }) =>
    organizations
      .filter(({ slug, id }) => slug === organization || id === organization)
      .map(({ name, contact_email }) => ({ name, email: contact_email ?? null })),
  );
}

/** In euro cents; a ticket that is not here costs nothing. */
const prices: Record<string, number> = {
  "Full pass": 49_000,
  "Day pass": 19_000,
  Student: 9_000,
  "Workshop seat": 12_000,
  "Workshop seat, board included": 18_000,
  Standing: 2_500,
  Seated: 4_000,
};

function ticketTypesOf(guests: RegistrationRow[], capacity: number | null): SeedEvent["ticket_types"] {
  const names = new Set(guests.flatMap(({ ticket_type }) => (ticket_type ? [ticket_type] : [])));
  if (names.size === 0) names.add("General admission");
  const visible = [...names].map((name) => {
    const cents = prices[name];
    return cents === undefined
      ? { name, type: "free" as const, max_capacity: capacity }
      : { name, type: "paid" as const, cents, currency: "eur", max_capacity: capacity };
  });
  return [
    ...visible,
    { name: "Press", type: "free", require_approval: true, description: "For accredited journalists" },
    { name: "Crew", type: "free", is_hidden: true, description: "For people who work at the event" },
  ];
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

/** An event that nobody has registered for yet has its own people as guests. */
function staffOf(event: EventRow, { organizations, users }: ImportDocument): SeedEvent["guests"] {
  const slugs = (event.hosts ?? []).map(({ organization }) => organization);
  const members = organizations
    .filter(({ slug, id }) => slugs.includes(slug) || slugs.includes(id))
    .flatMap((organization) => organization.members ?? []);
  return [...new Set(members.map(({ email }) => email))].map((email) => ({
    email,
    name: users.find((user) => user.email === email)?.name ?? email,
    ticket_type: "Crew",
  }));
}

function couponsOf(event: EventRow): SeedEvent["coupons"] {
  return [
    {
      code: "EARLYBIRD",
      remaining_count: 40,
      valid_end_at: event.start_time,
      discount: { discount_type: "percent", percent_off: 15 },
    },
    { code: "SPEAKERGUEST", remaining_count: 10, discount: { discount_type: "percent", percent_off: 100 } },
    { code: "COMMUNITY10", discount: { discount_type: "amount", cents_off: 1_000, currency: "eur" } },
  ];
}
