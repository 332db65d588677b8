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

/** Fetches what describes an app, from an address that a stranger has given. Redirects are not followed. */
export function createDocumentFetcher(overrides: Partial<PublicFetchOptions> = {}): DocumentFetcher {
  const options: PublicFetchOptions = { ...publicFetchDefaults, maximumBytes, ...overrides };
  let agent: Agent | undefined;
  return {
    async fetch(url) {
      agent ??= openPublicAgent(options);
      const { statusCode, headers, body } = await undici().request(checkedUrl(String(url), options), {
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
      const cacheControl = headers["cache-control"];
      if (statusCode !== 200) throw new Error(`the server responded with ${statusCode}`);
      return new Response(Buffer.concat(chunks), {
        headers: typeof cacheControl === "string" ? { "cache-control": cacheControl } : {},
      });
    },
    close: async () => agent?.destroy(),
  };
}
