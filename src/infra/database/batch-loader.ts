import sql, { type Sql } from "sql-template-tag";
import { lookupConnections } from "./database-limits.js";

type Batch<Key, Value> = {
  keys: Key[];
  loads: Map<unknown, Promise<Value | undefined>>;
  values: Promise<(Value | undefined)[]>;
  send: () => void;
  /** Set from the end of its turn on, while other batches run. */
  sendLatest: NodeJS.Timeout | undefined;
};

/** How long a batch waits for earlier ones, which may wait for a database that does not respond. */
const longestWaitMs = 50;

/**
 * Returns a `load(key)` that combines the calls of one event-loop turn into one `loadBatch(keys)`, and, while as many batches
 * run as there are connections for them, those of all turns until one ends: the busier the database, the fewer statements it
 * gets. Equal keys are sent once and share a promise. Nothing is cached: a key only joins a batch that has not been sent yet,
 * so a value is never older than its call. `loadBatch` returns values in the order of the keys, with undefined or nothing for
 * a missing value.
 */
export function createBatchLoader<Key, Value>(
  idOf: (key: Key) => unknown,
  loadBatch: (keys: Key[]) => Promise<(Value | undefined)[]>,
): (key: Key) => Promise<Value | undefined> {
  let pending: Batch<Key, Value> | undefined;
  let running = 0;

  function startBatch(): Batch<Key, Value> {
    const keys: Key[] = [];
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const values = sent.then(() => loadBatch(keys)).finally(endBatch);
    setImmediate(endTurn);
    return { keys, loads: new Map(), values, send, sendLatest: undefined };
  }

  function endTurn(): void {
    if (running < lookupConnections) sendPending();
    else if (pending !== undefined) pending.sendLatest = setTimeout(sendPending, longestWaitMs);
  }

  function sendPending(): void {
    if (pending === undefined) return;
    clearTimeout(pending.sendLatest);
    running += 1;
    pending.send();
    pending = undefined;
  }

  function endBatch(): void {
    running -= 1;
    if (pending?.sendLatest !== undefined) sendPending();
  }

  return (key) => {
    pending ??= startBatch();
    const { keys, loads, values } = pending;
    const id = idOf(key);
    const known = loads.get(id);
    if (known !== undefined) return known;
    const index = keys.push(key) - 1;
    const load = values.then((loaded) => loaded[index]);
    loads.set(id, load);
    return load;
  };
}

/**
 * The places of an array in a batch, from 1. The planner estimates them alike for every array, and so keeps one plan;
 * unnest would look cheaper for each small array than for an unknown one.
 */
export function placesIn(array: Sql): Sql {
  return sql`generate_subscripts(${array}, 1)`;
}
