import sql, { type Sql } from "sql-template-tag";

type Batch<Key, Value> = {
  keys: Key[];
  loads: Map<unknown, Promise<Value | undefined>>;
  values: Promise<(Value | undefined)[]>;
};

/**
 * Returns a `load(key)` that combines the calls of one event-loop turn into one `loadBatch(keys)`. Equal keys are sent once
 * and share a promise. Nothing is cached: a key only joins a batch that has not been sent yet, so a value is never older
 * than its call. `loadBatch` returns values in the order of the keys, with undefined or nothing for a missing value.
 */
export function createBatchLoader<Key, Value>(
  idOf: (key: Key) => unknown,
  loadBatch: (keys: Key[]) => Promise<(Value | undefined)[]>,
): (key: Key) => Promise<Value | undefined> {
  let pending: Batch<Key, Value> | undefined;

  function startBatch(): Batch<Key, Value> {
    const keys: Key[] = [];
    const endOfTurn = new Promise<void>((resolve) => setImmediate(resolve));
    const values = endOfTurn.then(() => {
      pending = undefined;
      return loadBatch(keys);
    });
    return { keys, loads: new Map(), values };
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
