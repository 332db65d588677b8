type Batch<Key, Value> = {
  keys: Key[];
  indexById: Map<string, number>;
  values: Promise<(Value | undefined)[]>;
};

/**
 * Returns a `load(key)` that combines the calls of one event-loop turn into one `loadBatch(keys)`, with equal keys sent
 * once. Nothing is cached: a key only joins a batch that has not been sent yet, so a value is never older than its call.
 * `loadBatch` returns values in the order of the keys, with undefined or nothing for a missing value.
 */
export function createBatchLoader<Key, Value>(
  idOf: (key: Key) => string,
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
    return { keys, indexById: new Map(), values };
  }

  return async (key) => {
    pending ??= startBatch();
    const { keys, indexById, values } = pending;
    const id = idOf(key);
    const index = indexById.get(id) ?? keys.push(key) - 1;
    indexById.set(id, index);
    return (await values)[index];
  };
}
