import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { SecretHash } from "../access/api-key.js";
import type { Caller } from "../access/caller.js";
import type { PastRead } from "../access/changes.js";
import type { KeyLookups } from "../access/check-request.js";
import { viewOf } from "../access/visibility.js";
import { codings } from "../infra/etag.js";
import type { Representation } from "../infra/representation.js";

/** A 200 response to everybody with the same view who asks for the same URL. */
export type CachedResponse = PastRead & { representation: Representation; link: string | undefined };

/** A response that was read. One without a read point answers only the requests that waited for it. */
export type ReadResponse = Omit<CachedResponse, "readAt"> & { readAt: CachedResponse["readAt"] | null };

/**
 * Responses that are validated, not trusted: one is sent only after a look-up made for this request has found that nothing
 * it shows was changed (docs/decisions/validated-cache.md).
 */
export type ResponseCache = {
  /** Call before the key is looked up: validates, in the same look-up, the response that its caller would have got last time. */
  startUse(url: string, keyHash: SecretHash): CacheUse;
  find(use: CacheUse, caller: Caller): Promise<CachedResponse | undefined>;
  /** Reads the response from the database, once for all requests that need it at the same time. */
  read(use: CacheUse, caller: Caller, build: () => Promise<ReadResponse>): Promise<ReadResponse>;
  usage(): CacheUsage;
};

/** What one request does with the cache. */
export type CacheUse = {
  url: string;
  keyHash: SecretHash;
  /** The response that was expected, by its id, and what came of validating it. */
  expected: { id: string; validated: Promise<CachedResponse | undefined> } | undefined;
};

export type CacheUsage = { hits: number; builds: number; bytes: number };

/** The last views of how many keys are remembered. Others take a second look-up. */
const rememberedKeys = 100_000;

/** One response may not push out most of the others. */
const largestShare = 1 / 8;

/** About what a response takes in addition to its body. */
const overheadBytes = 1_000;

/** How often a request waits for a build that was sent before it arrived, and may be older than it. */
const maximumJoins = 3;

type Build = { sent: boolean; response: Promise<ReadResponse> };

export function createResponseCache(maximumBytes: number, lookups: Pick<KeyLookups, "findUnchanged">): ResponseCache {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: maximumBytes,
    maxEntrySize: Math.ceil(maximumBytes * largestShare),
    sizeCalculation: sizeOf,
  });
  // Not `max`, which would reserve memory for all of them.
  const views = new LRUCache<string, string>({ maxSize: rememberedKeys, sizeCalculation: () => 1 });
  const builds = new Map<string, Build>();
  const counts = { hits: 0, builds: 0 };
  /** Requests of one event-loop turn share a look-up, and its outcome. */
  const validations = new WeakMap<Promise<unknown>, Promise<CachedResponse | undefined>>();

  /** A validated response takes over the newer read point, so that few changes have to be looked at and old ones can go. */
  function validate(response: CachedResponse): Promise<CachedResponse | undefined> {
    const lookup = lookups.findUnchanged(response);
    const known = validations.get(lookup);
    if (known !== undefined) return known;
    const validation = lookup.then(
      (unchangedAt) => {
        if (unchangedAt === undefined) return undefined;
        response.readAt = unchangedAt;
        return response;
      },
      // So did the look-up of the key, or the statement that reads the response again will.
      () => undefined,
    );
    validations.set(lookup, validation);
    return validation;
  }

  function startBuild(id: string, build: () => Promise<ReadResponse>): Promise<ReadResponse> {
    const started: Build = { sent: false, response: run() };
    builds.set(id, started);
    return started.response;

    async function run(): Promise<ReadResponse> {
      await nextTurn();
      started.sent = true;
      counts.builds += 1;
      try {
        const response = await build();
        if (mayBeKept(response)) responses.set(id, response);
        return response;
      } finally {
        builds.delete(id);
      }
    }
  }

  /** A build that is not sent yet reads what this request asks for. One that is may be older, like a failure of it. */
  async function read(id: string, build: () => Promise<ReadResponse>): Promise<ReadResponse> {
    for (let joins = 0; joins < maximumJoins; joins += 1) {
      const running = builds.get(id);
      if (running === undefined) return startBuild(id, build);
      if (!running.sent) return running.response;
      const response = await running.response.catch(() => undefined);
      if (response !== undefined && mayBeKept(response) && (await validate(response)) !== undefined) return response;
    }
    return build();
  }

  function expectResponse(id: string): CacheUse["expected"] {
    const response = responses.get(id);
    return response && { id, validated: validate(response) };
  }

  return {
    startUse(url, keyHash) {
      const view = views.get(keyHash);
      return { url, keyHash, expected: view === undefined ? undefined : expectResponse(idOf(view, url)) };
    },
    async find(use, caller) {
      const view = viewOf(caller);
      const id = idOf(view, use.url);
      if (use.expected?.id !== id) {
        views.set(use.keyHash, view);
        use.expected = expectResponse(id);
      }
      const found = await use.expected?.validated;
      if (found !== undefined) counts.hits += 1;
      return found;
    },
    read: (use, caller, build) => read(idOf(viewOf(caller), use.url), build),
    usage: () => ({ ...counts, bytes: responses.calculatedSize }),
  };
}

function mayBeKept(response: ReadResponse): response is CachedResponse {
  return response.readAt !== null;
}

function idOf(view: string, url: string): string {
  return `${view} ${url}`;
}

/** With room for its compressed forms, which are made later and may be as large as the body. */
function sizeOf({ representation }: CachedResponse, id: string): number {
  return (1 + codings.length) * representation.body.length + 2 * id.length + overheadBytes;
}
