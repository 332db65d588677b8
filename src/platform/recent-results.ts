export type RecentResults<Value> = { getOrMake(key: string, make: () => Promise<Value>): Promise<Value> };

/** Keeps the results that were used last, for a while. Who asks for the same at the same time shares one run; failures are not kept. */
export function keepRecentResults<Value>(limits: {
  entries: number;
  keptMs: (value: Value) => number;
}): RecentResults<Value> {
  const kept = new Map<string, { value: Promise<Value>; until: number }>();
  return {
    async getOrMake(key, make) {
      const known = kept.get(key);
      const fresh = known !== undefined && known.until > performance.now();
      const entry = fresh ? known : { value: make(), until: Number.POSITIVE_INFINITY };
      // A Map iterates in the order of insertion: the first is the one that was not used for longest.
      kept.delete(key);
      kept.set(key, entry);
      for (const oldest of kept.keys()) {
        if (kept.size <= limits.entries) break;
        kept.delete(oldest);
      }
      try {
        const value = await entry.value;
        if (!fresh) entry.until = performance.now() + limits.keptMs(value);
        return value;
      } catch (error) {
        if (kept.get(key) === entry) kept.delete(key);
        throw error;
      }
    },
  };
}
