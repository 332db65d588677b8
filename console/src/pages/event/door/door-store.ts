import { isApiError } from "../../../api/api-error.ts";
import type { Arrival, DoorApi, WalkIn, WalkInValues } from "./door-api.ts";
import type { DoorDatabase } from "./door-database.ts";
import { DoorQueue, type QueueState } from "./door-queue.ts";
import type { DoorGuest, QueueEntry, StoredEvent } from "./door-types.ts";
import { type IndexedGuest, indexGuest, searchGuests } from "./guest-search.ts";
import { isForLater, type SentOutcome } from "./send-entry.ts";
import { refusalOf, unknownCode, unknownCodeOffline, type Verdict } from "./verdict.ts";

export type DoorState = QueueState & {
  event: StoredEvent | undefined;
  /** Guests on this device; `isComplete` is false while the first pages arrive. */
  known: number;
  isComplete: boolean;
  checkedIn: number;
  expected: number;
  isLasting: boolean;
  verdict: Verdict | undefined;
  /**
   * The service refuses the list for good, for example because the organization no longer hosts the event, or nothing could
   * be loaded yet.
   */
  failure: unknown;
};

export type Person = { id: string; name: string };

type Parts = { api: DoorApi; database: DoorDatabase; event: string; person: () => Person };

/** How long a verdict waits for the service before it says what this device knows. */
const patienceMs = 1200;
/** Guests who were erased or imported are noticed when everything is read again. */
const reloadMs = 15 * 60_000;
const keptMs = 3 * 24 * 3_600_000;

/** The guests on this device and what happens to them at the door. */
export class DoorStore {
  readonly queue: DoorQueue;
  private readonly guests = new Map<string, IndexedGuest>();
  private readonly byCode = new Map<string, string>();
  private readonly listeners = new Set<() => void>();
  private state: DoorState;
  /** The clock of the service minus the clock of this device. */
  private clockOffsetMs = 0;
  private refreshing: Promise<void> | undefined;

  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
    this.queue = new DoorQueue({
      ...parts,
      zone: () => this.state.event?.timezone ?? "UTC",
      now: () => this.now(),
      onSent: (entry, outcome) => this.applySent(entry, outcome),
      onChange: () => this.publish({}),
    });
    this.state = {
      ...this.queue.state(),
      event: undefined,
      known: 0,
      isComplete: false,
      checkedIn: 0,
      expected: 0,
      verdict: undefined,
      isLasting: parts.database.isLasting,
      failure: undefined,
    };
  }

  snapshot = (): DoorState => this.state;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Shows what is on the device at once; the connection comes later. */
  async start(): Promise<void> {
    const { database, event } = this.parts;
    await database.forgetLoadedBefore(new Date(Date.now() - keptMs).toISOString());
    const [stored, guests] = await Promise.all([database.readEvent(event), database.readGuests(event)]);
    await this.queue.load();
    for (const guest of guests) this.put(guest);
    this.publish({ event: stored, isComplete: stored !== undefined });
  }

  /**
   * Reads what changed, or everything where that is not known. Several calls at once become one, but somebody who asks for
   * everything gets what is there from then on.
   */
  refresh(everything = false): Promise<void> {
    if (everything && this.refreshing !== undefined) return this.refreshing.then(() => this.refresh(true));
    this.refreshing ??= this.read(everything)
      .catch((error: unknown) => {
        if (isApiError(error, "unauthorized")) this.queue.reportSignedOut();
        else if (!isForLater(error) || this.guests.size === 0) this.publish({ failure: error });
      })
      .finally(() => {
        this.refreshing = undefined;
      });
    return this.refreshing;
  }

  find = (id: string): DoorGuest | undefined => this.guests.get(id)?.guest;

  search = (query: string, limit: number): DoorGuest[] => searchGuests(this.guests.values(), query, limit);

  /** Guests who are still expected, by name. */
  listExpected(limit: number): DoorGuest[] {
    const expected = [...this.guests.values()].filter(
      ({ guest }) => guest.status === "approved" && this.arrivalOf(guest) === undefined,
    );
    return expected
      .sort((a, b) => (a.text < b.text ? -1 : 1))
      .slice(0, limit)
      .map(({ guest }) => guest);
  }

  /** When and by whom a guest was checked in, as far as this device knows, including what waits to be sent. */
  arrivalOf(guest: DoorGuest): Arrival | undefined {
    const waiting = this.queue.lastOf(guest.id);
    if (waiting !== undefined) return waiting.checkedIn ? { at: waiting.at, by: waiting.person.name } : undefined;
    return guest.checked_in_at === null ? undefined : { at: guest.checked_in_at, by: null };
  }

  async checkIn(guest: DoorGuest): Promise<void> {
    const refusal = refusalOf(guest);
    if (refusal !== undefined) return this.publish({ verdict: refusal });
    const arrival = this.arrivalOf(guest);
    if (arrival !== undefined) return this.showDuplicate(guest, arrival);
    this.publish({ verdict: { kind: "checking", guest } });
    const sent = await this.queue.add(guest, true);
    const outcome = await Promise.race([sent.outcome, pause(sent.isTried ? patienceMs : 0)]);
    if (outcome !== undefined) return this.showOutcome(guest, outcome, sent.key);
    const verdict: Verdict = { kind: "welcome", guest, isSent: false };
    this.publish({ verdict });
    const late = await sent.outcome;
    // Later than that, the next guest stands there: it is listed as something to look at.
    if (late !== undefined && this.state.verdict === verdict) await this.showOutcome(guest, late, sent.key);
  }

  async undo(guest: DoorGuest): Promise<void> {
    await this.queue.undo(guest);
    this.publish({ verdict: undefined });
  }

  async scan(text: string): Promise<void> {
    const code = text.trim().toUpperCase();
    const known = this.byCode.get(await hashOf(code));
    const guest = known === undefined ? undefined : this.guests.get(known)?.guest;
    if (guest !== undefined) return this.checkIn(guest);
    try {
      const found = await this.parts.api.scan(code);
      if (found === undefined) return this.publish({ verdict: unknownCode });
      await this.save([found]);
      await this.checkIn(found);
    } catch {
      this.publish({ verdict: unknownCodeOffline });
    }
  }

  /** Somebody who is not on the list may be added, or the service says why not. */
  previewWalkIn = (values: WalkInValues): Promise<WalkIn> => this.noticingEnd(this.parts.api.previewWalkIn(values));

  async addWalkIn(values: WalkInValues, walkIn: WalkIn): Promise<void> {
    const id = await this.noticingEnd(walkIn.commit(this.queue.reasonNow("Added")));
    const at = new Date(this.now()).toISOString();
    const guest = { ...values, id, status: "approved", ticket_type: null, checked_in_at: at, code_hash: "" } as const;
    await this.save([guest]);
    this.queue.noteArrival(guest);
    this.publish({ verdict: { kind: "welcome", guest, isSent: true } });
    // Brings the guest's code.
    void this.refresh();
  }

  dismissVerdict = (): void => this.publish({ verdict: undefined });

  private async noticingEnd<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (isApiError(error, "unauthorized")) this.queue.reportSignedOut();
      throw error;
    }
  }

  private async showOutcome(guest: DoorGuest, outcome: SentOutcome, key: string): Promise<void> {
    // Shown now, so that it need not be looked at later.
    if (outcome.kind !== "done") await this.queue.dismiss(key);
    if (outcome.kind === "duplicate") this.publish({ verdict: { kind: "duplicate", guest, arrival: outcome } });
    else if (outcome.kind === "refused") {
      this.publish({ verdict: { kind: "refused", guest, title: "Not checked in", message: outcome.message } });
    } else this.publish({ verdict: { kind: "welcome", guest, isSent: true } });
  }

  private async showDuplicate(guest: DoorGuest, arrival: Arrival): Promise<void> {
    const verdict: Verdict = { kind: "duplicate", guest, arrival };
    this.publish({ verdict });
    if (arrival.by !== null) return;
    const more = await this.parts.api.readArrival(guest.id).catch(() => undefined);
    if (more !== undefined && this.state.verdict === verdict) this.publish({ verdict: { ...verdict, arrival: more } });
  }

  private async applySent({ guest: { id }, checkedIn, at }: QueueEntry, outcome: SentOutcome): Promise<void> {
    const guest = this.guests.get(id)?.guest;
    if (guest === undefined) return;
    if (outcome.kind === "done") await this.save([{ ...guest, checked_in_at: checkedIn ? at : null }]);
    if (outcome.kind === "duplicate") await this.save([{ ...guest, checked_in_at: outcome.at ?? at }]);
  }

  private async read(everything: boolean): Promise<void> {
    const { event } = this.state;
    if (everything || event === undefined || Date.parse(event.loaded_at) < this.now() - reloadMs) return this.readAll();
    const changes = await this.parts.api.readChanges(event.as_of);
    this.setClock(changes.now);
    this.queue.reportReached();
    if (changes.reload) return this.readAll();
    await this.save(changes.items);
    await this.saveEvent({ ...event, ...changes.event, as_of: changes.as_of });
  }

  private async readAll(): Promise<void> {
    const seen = new Set<string>();
    let cursor: string | null = null;
    let asOf: string | undefined;
    do {
      const page = await this.parts.api.readPage(cursor);
      this.setClock(page.now);
      this.queue.reportReached();
      asOf ??= page.as_of;
      for (const { id } of page.items) seen.add(id);
      await this.save(page.items);
      cursor = page.next_cursor;
      if (cursor === null) await this.saveEvent({ ...page.event, as_of: asOf, loaded_at: page.now });
    } while (cursor !== null);
    const gone = [...this.guests.keys()].filter((id) => !seen.has(id));
    for (const id of gone) this.guests.delete(id);
    await this.parts.database.removeGuests(this.parts.event, gone);
    this.publish({ isComplete: true, failure: undefined });
  }

  private async save(guests: DoorGuest[]): Promise<void> {
    for (const guest of guests) this.put(guest);
    this.publish({});
    await this.parts.database.saveGuests(this.parts.event, guests);
  }

  private async saveEvent(event: StoredEvent): Promise<void> {
    this.publish({ event });
    await this.parts.database.saveEvent(event);
  }

  private put(guest: DoorGuest): void {
    this.guests.set(guest.id, indexGuest(guest));
    this.byCode.set(guest.code_hash, guest.id);
  }

  private setClock(serviceTime: string): void {
    this.clockOffsetMs = Date.parse(serviceTime) - Date.now();
  }

  private now(): number {
    return Date.now() + this.clockOffsetMs;
  }

  private publish(change: Partial<DoorState>): void {
    let [checkedIn, expected] = [0, 0];
    for (const { guest } of this.guests.values()) {
      if (guest.status !== "approved") continue;
      expected += 1;
      if (this.arrivalOf(guest) !== undefined) checkedIn += 1;
    }
    this.state = { ...this.state, ...this.queue.state(), ...change, known: this.guests.size, checkedIn, expected };
    for (const listener of this.listeners) listener();
  }
}

const pause = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

async function hashOf(code: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code));
  const bytes = new Uint8Array(digest).subarray(0, 12);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
