import { useEffect } from "react";
import { addressOf } from "./client.ts";
import { queryClient } from "./query-client.ts";
import { concerns, type LiveChange, organizationKey, platformKey, sessionKey } from "./query-keys.ts";

const pollMs = 20_000;
const coalesceMs = 200;
const longestPauseMs = 60_000;
/** More distinct changes than this within the coalescing time are treated as one that concerns everything. */
const maximumPending = 50;

type Follower = { close: () => void };

/** Keeps what the page shows up to date while it is mounted. */
export function useLive(organizationId: string): void {
  useEffect(() => {
    const follower = follow(addressOf("changes", { organization: organizationId }), organizationKey(organizationId));
    return follower.close;
  }, [organizationId]);
}

export function usePlatformLive(): void {
  useEffect(() => follow(addressOf("adminChanges", {}), platformKey()).close, []);
}

export function follow(url: string, scope: readonly unknown[]): Follower {
  const pending = createInvalidator(scope);
  let source: EventSource | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  const everything: LiveChange = { topic: "all", id: null };
  /** While the stream is not available, everything shown is read again now and then. */
  const startPolling = () => {
    poll ??= setInterval(() => document.visibilityState === "visible" && pending.add(everything), pollMs);
  };
  const connect = () => {
    source = new EventSource(url);
    source.onopen = () => {
      // Changes during an interruption were missed.
      if (failures > 0) pending.add(everything);
      failures = 0;
      clearInterval(poll);
      poll = undefined;
    };
    source.onerror = () => {
      failures += 1;
      startPolling();
      // The browser reconnects by itself, except after an error response. The session may have ended, or the person may no longer
      // be a member: the reads find out.
      if (source?.readyState !== EventSource.CLOSED) return;
      pending.add(everything);
      void queryClient.invalidateQueries({ queryKey: sessionKey });
      retry = setTimeout(connect, Math.min(1000 * 2 ** failures, longestPauseMs));
    };
    source.addEventListener("change", (event) => {
      const change = parseChange((event as MessageEvent<string>).data);
      if (change !== undefined) pending.add(change);
    });
  };

  connect();
  const close = () => {
    source?.close();
    clearInterval(poll);
    clearTimeout(retry);
    pending.close();
  };
  return { close };
}

/** Collects changes for a moment: an import sends hundreds, and each query is read again once. */
export function createInvalidator(scope: readonly unknown[]) {
  let changes: LiveChange[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const batch = changes.length > maximumPending ? [{ topic: "all", id: null } as const] : changes;
    changes = [];
    timer = undefined;
    const predicate = (query: { queryKey: readonly unknown[] }) =>
      batch.some((change) => concerns(change, scope, query.queryKey));
    void queryClient.invalidateQueries({ predicate });
  };
  return {
    add(change: LiveChange) {
      if (changes.length <= maximumPending) changes.push(change);
      timer ??= setTimeout(flush, coalesceMs);
    },
    close: () => clearTimeout(timer),
  };
}

export function parseChange(data: string): LiveChange | undefined {
  try {
    const { topic, id = null } = JSON.parse(data) as LiveChange;
    return ["event", "organization", "all"].includes(topic) ? { topic, id } : undefined;
  } catch {
    return undefined;
  }
}
