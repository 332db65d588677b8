import { isApiError } from "../../../api/api-error.ts";
import { formatClock } from "../../../format/times.ts";
import type { DoorApi } from "./door-api.ts";
import type { DoorDatabase } from "./door-database.ts";
import type { Person } from "./door-store.ts";
import type { Conflict, DoorGuest, QueueEntry } from "./door-types.ts";
import { isForLater, type SentOutcome, sendEntry } from "./send-entry.ts";

export type Connection = "online" | "offline" | "signed_out";

export type QueueState = { waiting: number; conflicts: Conflict[]; recent: QueueEntry[]; connection: Connection };

type Parts = {
  api: DoorApi;
  database: DoorDatabase;
  event: string;
  person: () => Person;
  zone: () => string;
  now: () => number;
  onSent: (entry: QueueEntry, outcome: SentOutcome) => Promise<void>;
  onChange: () => void;
};

const shownRecent = 12;
const retryMs = 4000;

/** Check-ins in the order in which they happened, sent one after the other as soon as the service can be reached. */
export class DoorQueue {
  private entries: QueueEntry[] = [];
  private conflicts: Conflict[] = [];
  /** What was done on this device, the latest first, to be undone with one tap. */
  private recent: QueueEntry[] = [];
  private connection: Connection = "online";
  private draining: Promise<void> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly waiters = new Map<string, (outcome: SentOutcome | undefined) => void>();

  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  state(): QueueState {
    const { conflicts, recent, connection } = this;
    return { waiting: this.entries.length, conflicts, recent, connection };
  }

  async load(): Promise<void> {
    const { database, event } = this.parts;
    [this.entries, this.conflicts] = await Promise.all([this.readEntries(), database.readConflicts(event)]);
    this.recent = this.entries
      .filter(({ checkedIn, undone }) => checkedIn && !undone)
      .slice(-shownRecent)
      .reverse();
    this.parts.onChange();
  }

  private async readEntries(): Promise<QueueEntry[]> {
    const { database, event } = this.parts;
    return (await database.readQueue(event)).sort((a, b) => a.order - b.order);
  }

  /** What a guest will be once everything is sent; undefined where nothing waits. */
  lastOf(guestId: string): QueueEntry | undefined {
    return this.entries.findLast(({ guest, undone }) => guest.id === guestId && !undone);
  }

  async add(guest: DoorGuest, checkedIn: boolean) {
    const entry = this.entryFor(guest, checkedIn);
    await this.parts.database.saveEntry(entry);
    this.entries = [...this.entries.filter(({ key }) => key !== entry.key), entry];
    if (checkedIn) this.showRecent(entry);
    const outcome = new Promise<SentOutcome | undefined>((resolve) => this.waiters.set(entry.key, resolve));
    const isTried = this.connection === "online";
    this.parts.onChange();
    void this.drain();
    return { key: entry.key, outcome, isTried };
  }

  /** Somebody whom this device has added: the service has it already. */
  noteArrival(guest: DoorGuest): void {
    this.showRecent(this.entryFor(guest, true));
    this.parts.onChange();
  }

  /** "Added at the door by Dora Keeper, 18:02". */
  reasonNow(what: string): string {
    return this.reasonFor(what, new Date(this.parts.now()).toISOString(), this.parts.person());
  }

  /** Takes back a check-in: one that still waits is never sent. */
  async undo(guest: DoorGuest): Promise<void> {
    this.recent = this.recent.filter((entry) => entry.guest.id !== guest.id);
    const waiting = this.lastOf(guest.id);
    if (waiting === undefined) {
      await this.add(guest, false);
      return;
    }
    if (waiting.checkedIn) await this.change(waiting.key, { undone: true });
    void this.drain();
  }

  async dismiss(key: string): Promise<void> {
    await this.parts.database.removeConflict(key);
    this.conflicts = this.conflicts.filter((conflict) => conflict.key !== key);
    this.parts.onChange();
  }

  reportReached(): void {
    if (this.connection === "online") return;
    this.connection = "online";
    this.parts.onChange();
    void this.drain();
  }

  reportOffline(): void {
    if (this.connection !== "online") return;
    this.connection = "offline";
    this.parts.onChange();
  }

  reportSignedOut(): void {
    this.connection = "signed_out";
    this.parts.onChange();
  }

  stop(): void {
    clearTimeout(this.retry);
  }

  /** Sends everything. One page of this browser at a time for each event, where the browser can arrange that. */
  drain(): Promise<void> {
    clearTimeout(this.retry);
    const send = () => this.sendAll();
    const { locks } = globalThis.navigator ?? {};
    this.draining ??= (locks === undefined ? send() : locks.request(`door queue ${this.parts.event}`, send)).finally(
      () => {
        this.draining = undefined;
        // Something may have been added at the last moment.
        if (this.entries.length > 0 && this.connection === "online") void this.drain();
      },
    );
    return this.draining;
  }

  private async sendAll(): Promise<void> {
    // Another page of this browser may have sent some of it.
    this.entries = await this.readEntries();
    for (let entry = this.entries[0]; entry !== undefined; entry = this.entries[0]) {
      try {
        await this.send(entry);
      } catch (error) {
        this.connection = isApiError(error, "unauthorized") ? "signed_out" : "offline";
        // Whoever waits at the door does not wait for the connection.
        for (const resolve of this.waiters.values()) resolve(undefined);
        this.waiters.clear();
        this.parts.onChange();
        const pauseMs = isApiError(error) && error.retryAfterSeconds ? error.retryAfterSeconds * 1000 : retryMs;
        if (isForLater(error)) this.retry = setTimeout(() => void this.drain(), pauseMs);
        return;
      }
    }
  }

  private async send(entry: QueueEntry): Promise<void> {
    const { api, database } = this.parts;
    const saveVersion = async (version: string | null) => {
      await this.change(entry.key, { version });
    };
    const outcome = await sendEntry(entry, { api, saveVersion });
    this.connection = "online";
    await this.parts.onSent(entry, outcome);
    const isUndone = this.entries.find(({ key }) => key === entry.key)?.undone ?? false;
    if (!isUndone) await this.keepConflict(entry, outcome);
    await database.removeEntry(entry.key);
    if (isUndone && outcome.kind === "done") await this.takeBack(entry);
    else this.entries = this.entries.filter(({ key }) => key !== entry.key);
    this.waiters.get(entry.key)?.(outcome);
    this.waiters.delete(entry.key);
    this.parts.onChange();
  }

  /** It was undone while it was on its way: the undoing takes its place in the queue. */
  private async takeBack(entry: QueueEntry): Promise<void> {
    const reason = this.reasonFor("Check-in undone", entry.at, entry.person);
    const undoing = { ...entry, key: crypto.randomUUID(), checkedIn: false, undone: false, version: null, reason };
    await this.parts.database.saveEntry(undoing);
    this.entries = this.entries.map((other) => (other.key === entry.key ? undoing : other));
  }

  private async keepConflict({ key, event, guest, at }: QueueEntry, outcome: SentOutcome): Promise<void> {
    if (outcome.kind !== "duplicate" && outcome.kind !== "refused") return;
    this.recent = this.recent.filter((entry) => entry.key !== key);
    const common = { key, event, name: guest.name, at };
    const conflict: Conflict =
      outcome.kind === "duplicate"
        ? { ...common, kind: "duplicate", arrivedAt: outcome.at, by: outcome.by }
        : { ...common, kind: "refused", message: outcome.message };
    await this.parts.database.saveConflict(conflict);
    this.conflicts = [...this.conflicts, conflict];
  }

  private async change(key: string, change: Partial<QueueEntry>): Promise<void> {
    await this.parts.database.updateEntry(key, change);
    this.entries = this.entries.map((entry) => (entry.key === key ? { ...entry, ...change } : entry));
    this.parts.onChange();
  }

  private entryFor(guest: DoorGuest, checkedIn: boolean): QueueEntry {
    const person = this.parts.person();
    const at = new Date(this.parts.now()).toISOString();
    return {
      key: crypto.randomUUID(),
      event: this.parts.event,
      order: Math.max(Date.now(), (this.entries.at(-1)?.order ?? 0) + 1),
      guest: { id: guest.id, name: guest.name },
      checkedIn,
      person,
      at,
      reason: this.reasonFor(checkedIn ? "Checked in" : "Check-in undone", at, person),
      undone: false,
      version: null,
    };
  }

  private showRecent(entry: QueueEntry): void {
    this.recent = [entry, ...this.recent].slice(0, shownRecent);
  }

  private reasonFor(what: string, at: string, person: Person): string {
    return `${what} at the door by ${person.name}, ${formatClock(at, this.parts.zone())}`.slice(0, 500);
  }
}
