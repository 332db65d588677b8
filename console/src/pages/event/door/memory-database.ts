import type { DoorDatabase } from "./door-database.ts";
import type { Conflict, DoorGuest, QueueEntry, StoredEvent } from "./door-types.ts";

/** Where the browser keeps nothing: works until the page is closed. */
export function memoryDatabase(): DoorDatabase {
  const events = new Map<string, StoredEvent>();
  const guests = new Map<string, Map<string, DoorGuest>>();
  const queue = new Map<string, QueueEntry>();
  const conflicts = new Map<string, Conflict>();
  const guestsOf = (event: string) => guests.get(event) ?? new Map<string, DoorGuest>();
  return {
    isLasting: false,
    readEvent: async (event) => events.get(event),
    async saveEvent(event) {
      events.set(event.id, event);
    },
    readGuests: async (event) => [...guestsOf(event).values()],
    async saveGuests(event, added) {
      guests.set(event, new Map([...guestsOf(event), ...added.map((guest) => [guest.id, guest] as const)]));
    },
    async removeGuests(event, ids) {
      for (const id of ids) guestsOf(event).delete(id);
    },
    readQueue: async (event) => [...queue.values()].filter((entry) => entry.event === event),
    async saveEntry(entry) {
      queue.set(entry.key, entry);
    },
    async updateEntry(key, change) {
      const entry = queue.get(key);
      if (entry === undefined) return undefined;
      const changed = { ...entry, ...change };
      queue.set(key, changed);
      return changed;
    },
    async removeEntry(key) {
      queue.delete(key);
    },
    readConflicts: async (event) => [...conflicts.values()].filter((conflict) => conflict.event === event),
    async saveConflict(conflict) {
      conflicts.set(conflict.key, conflict);
    },
    async removeConflict(key) {
      conflicts.delete(key);
    },
    async forgetLoadedBefore(time) {
      for (const { id, loaded_at } of [...events.values()]) {
        if (loaded_at >= time) continue;
        events.delete(id);
        guests.delete(id);
      }
    },
  };
}
