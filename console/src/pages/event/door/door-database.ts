import type { Conflict, DoorGuest, QueueEntry, StoredEvent } from "./door-types.ts";

/** What survives a reload and a lost connection. */
export type DoorDatabase = {
  /** False where the browser keeps nothing, as in some private windows. */
  isLasting: boolean;
  readEvent(event: string): Promise<StoredEvent | undefined>;
  saveEvent(event: StoredEvent): Promise<void>;
  readGuests(event: string): Promise<DoorGuest[]>;
  saveGuests(event: string, guests: DoorGuest[]): Promise<void>;
  removeGuests(event: string, ids: string[]): Promise<void>;
  /** In no order. */
  readQueue(event: string): Promise<QueueEntry[]>;
  saveEntry(entry: QueueEntry): Promise<void>;
  /** Changes an entry that is still there. */
  updateEntry(key: string, change: Partial<QueueEntry>): Promise<QueueEntry | undefined>;
  removeEntry(key: string): Promise<void>;
  readConflicts(event: string): Promise<Conflict[]>;
  saveConflict(conflict: Conflict): Promise<void>;
  removeConflict(key: string): Promise<void>;
  /** Forgets the guests of events that were loaded before then. Nothing that waits to be sent is forgotten. */
  forgetLoadedBefore(time: string): Promise<void>;
};

const stores = { events: "id", guests: ["event", "id"], queue: "key", conflicts: "key" } as const;
type StoreName = keyof typeof stores;

/** When somebody signs out: only what waits to be sent stays on the device. */
export async function forgetAllGuests(): Promise<void> {
  await (await openDoorDatabase()).forgetLoadedBefore(afterAllTimes);
}

/** Sorts after every timestamp. */
const afterAllTimes = "9";

export async function openDoorDatabase(): Promise<DoorDatabase> {
  try {
    return lastingDatabase(await open());
  } catch {
    const { memoryDatabase } = await import("./memory-database.ts");
    return memoryDatabase();
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open("door", 1);
  request.onupgradeneeded = () => {
    for (const [name, keyPath] of Object.entries(stores)) {
      request.result.createObjectStore(name, { keyPath: typeof keyPath === "string" ? keyPath : [...keyPath] });
    }
  };
  return resultOf(request);
}

function lastingDatabase(db: IDBDatabase): DoorDatabase {
  const readAll = <Row>(store: StoreName, range?: IDBKeyRange) =>
    resultOf<Row[]>(db.transaction(store).objectStore(store).getAll(range));
  const write = (store: StoreName, change: (rows: IDBObjectStore) => void) => {
    const transaction = db.transaction(store, "readwrite", { durability: "strict" });
    change(transaction.objectStore(store));
    return finished(transaction);
  };
  const guestsOf = (event: string) => IDBKeyRange.bound([event], [event, []]);
  return {
    isLasting: true,
    readEvent: (event) => resultOf(db.transaction("events").objectStore("events").get(event)),
    saveEvent: (event) => write("events", (rows) => rows.put(event)),
    readGuests: async (event) =>
      (await readAll<DoorGuest & { event: string }>("guests", guestsOf(event))).map(({ event: _, ...guest }) => guest),
    saveGuests: (event, guests) =>
      write("guests", (rows) => {
        for (const guest of guests) rows.put({ ...guest, event });
      }),
    removeGuests: (event, ids) =>
      write("guests", (rows) => {
        for (const id of ids) rows.delete([event, id]);
      }),
    readQueue: async (event) => (await readAll<QueueEntry>("queue")).filter((row) => row.event === event),
    saveEntry: (entry) => write("queue", (rows) => rows.put(entry)),
    async updateEntry(key, change) {
      let changed: QueueEntry | undefined;
      await write("queue", (rows) => {
        const found = rows.get(key);
        found.onsuccess = () => {
          if (found.result === undefined) return;
          changed = { ...(found.result as QueueEntry), ...change };
          rows.put(changed);
        };
      });
      return changed;
    },
    removeEntry: (key) => write("queue", (rows) => rows.delete(key)),
    readConflicts: async (event) => (await readAll<Conflict>("conflicts")).filter((row) => row.event === event),
    saveConflict: (conflict) => write("conflicts", (rows) => rows.put(conflict)),
    removeConflict: (key) => write("conflicts", (rows) => rows.delete(key)),
    async forgetLoadedBefore(time) {
      for (const { id } of (await readAll<StoredEvent>("events")).filter(({ loaded_at }) => loaded_at < time)) {
        await write("guests", (rows) => rows.delete(guestsOf(id)));
        await write("events", (rows) => rows.delete(id));
      }
    },
  };
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}
