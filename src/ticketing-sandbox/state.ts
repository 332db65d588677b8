import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import type {
  OutboxMail,
  PlatformCoupon,
  PlatformEvent,
  PlatformGuest,
  PlatformHost,
  PlatformTicketType,
} from "./records.js";

/** `key` (g-…) is the guest's secret identifier, part of the check-in code. */
export type StoredGuest = { guest: PlatformGuest; key: string };

export type SandboxEvent = {
  event: PlatformEvent;
  hosts: PlatformHost[];
  guests: Map<string, StoredGuest>;
  ticketTypes: Map<string, PlatformTicketType>;
  /** By lower-case code. Codes are never reused. */
  coupons: Map<string, PlatformCoupon>;
};

export type SandboxChange =
  | { kind: "event"; event: PlatformEvent; hosts: PlatformHost[] }
  | { kind: "guest"; event_id: string; guest: PlatformGuest; key: string }
  | { kind: "ticket_type"; event_id: string; ticket_type: PlatformTicketType }
  | { kind: "ticket_type_deleted"; event_id: string; id: string }
  | { kind: "coupon"; event_id: string; coupon: PlatformCoupon }
  | { kind: "mail"; mail: OutboxMail };

export type SandboxState = {
  events: ReadonlyMap<string, SandboxEvent>;
  outbox: readonly OutboxMail[];
  /** Atomic: the changes of one request are one line of the file. */
  commit(changes: SandboxChange[]): void;
  close(): void;
};

/**
 * Keeps the state in memory and appends every change to a file, one line per request, before the response is sent: a
 * killed process loses nothing that it acknowledged. Without a file, the state is lost on exit.
 */
export function openSandboxState(file: string | null): SandboxState {
  const events = new Map<string, SandboxEvent>();
  const outbox: OutboxMail[] = [];
  for (const changes of file === null ? [] : readLines(file)) apply(events, outbox, changes);
  const descriptor = file === null ? undefined : startFile(file, snapshot(events, outbox));
  return {
    events,
    outbox,
    commit(changes) {
      if (changes.length === 0) return;
      if (descriptor !== undefined) writeFileSync(descriptor, `${JSON.stringify(changes)}\n`);
      apply(events, outbox, changes);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}

function readLines(file: string): SandboxChange[][] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  // An incomplete last line is a write that was interrupted and never acknowledged.
  lines.pop();
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as SandboxChange[];
    } catch {
      throw new Error(`${file}:${index + 1} is corrupt; delete the file to start over`);
    }
  });
}

/** Atomically replaces the file with a compacted one and opens it for appending. */
function startFile(file: string, changes: SandboxChange[]): number {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.next`;
  const descriptor = openSync(next, "w", 0o600);
  if (changes.length > 0) writeFileSync(descriptor, `${JSON.stringify(changes)}\n`);
  fsyncSync(descriptor);
  renameSync(next, file);
  return descriptor;
}

function snapshot(events: Map<string, SandboxEvent>, outbox: OutboxMail[]): SandboxChange[] {
  const changes: SandboxChange[] = [];
  for (const [event_id, { event, hosts, guests, ticketTypes, coupons }] of events) {
    changes.push({ kind: "event", event, hosts });
    for (const ticket_type of ticketTypes.values()) changes.push({ kind: "ticket_type", event_id, ticket_type });
    for (const { guest, key } of guests.values()) changes.push({ kind: "guest", event_id, guest, key });
    for (const coupon of coupons.values()) changes.push({ kind: "coupon", event_id, coupon });
  }
  for (const mail of outbox) changes.push({ kind: "mail", mail });
  return changes;
}

function apply(events: Map<string, SandboxEvent>, outbox: OutboxMail[], changes: SandboxChange[]): void {
  for (const change of changes) {
    if (change.kind === "mail") outbox.push(change.mail);
    else if (change.kind === "event") {
      const { event, hosts } = change;
      events.set(event.id, { event, hosts, guests: new Map(), ticketTypes: new Map(), coupons: new Map() });
    } else applyToEvent(events.get(change.event_id), change);
  }
}

function applyToEvent(
  state: SandboxEvent | undefined,
  change: Exclude<SandboxChange, { kind: "mail" | "event" }>,
): void {
  if (state === undefined) throw new Error(`a change refers to an unknown event: ${change.event_id}`);
  switch (change.kind) {
    case "guest":
      state.guests.set(change.guest.id, { guest: change.guest, key: change.key });
      break;
    case "ticket_type":
      state.ticketTypes.set(change.ticket_type.id, change.ticket_type);
      break;
    case "ticket_type_deleted":
      state.ticketTypes.delete(change.id);
      break;
    case "coupon":
      state.coupons.set(change.coupon.code.toLowerCase(), change.coupon);
      break;
  }
}
