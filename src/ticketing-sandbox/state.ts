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
import type { Coupon, Guest, Host, Mail, PlatformEvent, TicketType } from "./records.js";

/** `key` (g-…) is the guest's secret name: it is in the check-in code and finds the guest. */
export type StoredGuest = { guest: Guest; key: string };

export type EventState = {
  event: PlatformEvent;
  hosts: Host[];
  guests: Map<string, StoredGuest>;
  ticketTypes: Map<string, TicketType>;
  /** By lower-case code. Codes are never given free again. */
  coupons: Map<string, Coupon>;
};

export type Change =
  | { kind: "event"; event: PlatformEvent; hosts: Host[] }
  | { kind: "guest"; event_id: string; guest: Guest; key: string }
  | { kind: "ticket_type"; event_id: string; ticket_type: TicketType }
  | { kind: "ticket_type_deleted"; event_id: string; id: string }
  | { kind: "coupon"; event_id: string; coupon: Coupon }
  | { kind: "mail"; mail: Mail };

export type State = {
  events: ReadonlyMap<string, EventState>;
  outbox: readonly Mail[];
  /** All changes of one request, or none: they are one line of the file. */
  commit(changes: Change[]): void;
  close(): void;
};

/**
 * Keeps everything in memory and every change in a file, one line a request, written before the request is answered: a
 * process that is killed loses nothing it has answered. Without a file it forgets everything.
 */
export function openState(file: string | null): State {
  const events = new Map<string, EventState>();
  const outbox: Mail[] = [];
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

function readLines(file: string): Change[][] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  // What follows the last line end was cut off in the middle of a write, which was not answered.
  lines.pop();
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as Change[];
    } catch {
      throw new Error(`${file}:${index + 1} is damaged; remove the file to start anew`);
    }
  });
}

/** Replaces the file with a short one of the same meaning, at once, and opens it for what comes. */
function startFile(file: string, changes: Change[]): number {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.next`;
  const descriptor = openSync(next, "w", 0o600);
  if (changes.length > 0) writeFileSync(descriptor, `${JSON.stringify(changes)}\n`);
  fsyncSync(descriptor);
  renameSync(next, file);
  return descriptor;
}

function snapshot(events: Map<string, EventState>, outbox: Mail[]): Change[] {
  const changes: Change[] = [];
  for (const [event_id, { event, hosts, guests, ticketTypes, coupons }] of events) {
    changes.push({ kind: "event", event, hosts });
    for (const ticket_type of ticketTypes.values()) changes.push({ kind: "ticket_type", event_id, ticket_type });
    for (const { guest, key } of guests.values()) changes.push({ kind: "guest", event_id, guest, key });
    for (const coupon of coupons.values()) changes.push({ kind: "coupon", event_id, coupon });
  }
  for (const mail of outbox) changes.push({ kind: "mail", mail });
  return changes;
}

function apply(events: Map<string, EventState>, outbox: Mail[], changes: Change[]): void {
  for (const change of changes) {
    if (change.kind === "mail") outbox.push(change.mail);
    else if (change.kind === "event") {
      const { event, hosts } = change;
      events.set(event.id, { event, hosts, guests: new Map(), ticketTypes: new Map(), coupons: new Map() });
    } else applyToEvent(events.get(change.event_id), change);
  }
}

function applyToEvent(state: EventState | undefined, change: Exclude<Change, { kind: "mail" | "event" }>): void {
  if (state === undefined) throw new Error(`a change names an event that is not there: ${change.event_id}`);
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
