import { Resolver } from "node:dns/promises";
import { LRUCache } from "lru-cache";
import pLimit from "p-limit";
import type { Agent } from "undici";
import {
  checkedUrl,
  openPublicAgent,
  type PublicFetchOptions,
  publicFetchDefaults,
  undici,
} from "../infra/public-fetch.js";

export type DocumentFetcher = { fetch(url: string | URL): Promise<Response>; close(): Promise<void> };

/** Much more than a description of an app, or its keys, needs. */
const maximumBytes = 64 * 1024;

/** Strangers decide what is fetched: few at a time, and few that wait. */
const concurrent = 4;
const maximumWaiting = 20;

/** How long an address that failed is not tried again. */
const failureMs = 30_000;

/** Asks name servers by itself: look-ups of the system that hang would keep threads that everything else needs. */
async function resolve(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return found.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

/** Fetches what describes an app, from an address that a stranger has given. Redirects are not followed. */
export function createDocumentFetcher(overrides: Partial<PublicFetchOptions> = {}): DocumentFetcher {
  const options: PublicFetchOptions = { ...publicFetchDefaults, resolve, maximumBytes, ...overrides };
  const failed = new LRUCache<string, true>({ max: 1_000, ttl: failureMs });
  const limit = pLimit(concurrent);
  let agent: Agent | undefined;

  async function read(url: string): Promise<Response> {
    agent ??= openPublicAgent(options);
    const { statusCode, headers, body } = await undici().request(checkedUrl(url, options), {
      dispatcher: agent,
      signal: AbortSignal.timeout(options.timeoutMs),
      headers: { accept: "application/json", "accept-encoding": "identity", "user-agent": "svc-oauth" },
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > options.maximumBytes) throw new Error("the document is too large");
      chunks.push(chunk);
    }
    if (statusCode !== 200) throw new Error(`the server responded with ${statusCode}`);
    const cacheControl = headers["cache-control"];
    return new Response(Buffer.concat(chunks), {
      headers: typeof cacheControl === "string" ? { "cache-control": cacheControl } : {},
    });
  }

  return {
    async fetch(given) {
      const url = String(given);
      if (failed.has(url)) throw new Error("the document could not be read just now");
      if (limit.pendingCount >= maximumWaiting) throw new Error("too many documents are being read");
      try {
        return await limit(() => read(url));
      } catch (error) {
        failed.set(url, true);
        throw error;
      }
    },
    close: async () => agent?.destroy(),
  };
}
