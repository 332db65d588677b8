import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import type { Agent, buildConnector } from "undici";
import { ServiceError } from "../../contract/errors.js";
import { parseUrl } from "../../contract/urls.js";
import { loadOnDemand } from "./load-on-demand.js";
import { isPublicAddress } from "./public-address.js";

export type FetchedImage = { bytes: Buffer } | { problem: string };

export type ImageFetcher = { fetch(url: string): Promise<FetchedImage>; close(): Promise<void> };

export type ImageFetcherOptions = {
  /** Resolves a host name to all its addresses. */
  resolve: (hostname: string) => Promise<string[]>;
  isAllowedAddress: (address: string) => boolean;
  port: number;
  /** CA certificates to trust instead of the default ones. */
  ca: string | undefined;
  /** For the whole fetch: name resolution, connections, redirects and body. */
  timeoutMs: number;
  maximumBytes: number;
};

export const imageFetcherDefaults: ImageFetcherOptions = {
  resolve: async (hostname) => (await systemLookup(hostname, { all: true })).map(({ address }) => address),
  isAllowedAddress: isPublicAddress,
  port: 443,
  ca: undefined,
  timeoutMs: 5_000,
  maximumBytes: 5 * 1024 * 1024,
};

const maximumRedirects = 3;

/**
 * Fetches images from URLs that callers provide, so URLs are untrusted: https only, public addresses only, and addresses
 * are checked when connecting. Failures are returned as a problem, never thrown.
 */
export function createImageFetcher(overrides: Partial<ImageFetcherOptions> = {}): ImageFetcher {
  const options = { ...imageFetcherDefaults, ...overrides };
  let agent: Agent | undefined;
  function openAgent(): Agent {
    const { Agent } = undici();
    return new Agent({ connect: guardedConnector(options), connections: 8, pipelining: 1 });
  }
  return {
    async fetch(url) {
      const signal = AbortSignal.timeout(options.timeoutMs);
      agent ??= openAgent();
      try {
        return { bytes: await follow(agent, options, url, signal) };
      } catch (error) {
        if (error instanceof ServiceError) return { problem: error.message };
        return { problem: signal.aborted ? `timed out after ${options.timeoutMs} ms` : "could not be fetched" };
      }
    },
    close: async () => agent?.destroy(),
  };
}

function undici(): typeof import("undici") {
  return loadOnDemand("undici");
}

/** By the first bytes, whatever the Content-Type header says. */
export function imageTypeOf(bytes: Buffer): "image/png" | "image/jpeg" | "image/webp" | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined;
}

async function follow(
  agent: Agent,
  options: ImageFetcherOptions,
  address: string,
  signal: AbortSignal,
): Promise<Buffer> {
  let url = checkedUrl(address, options);
  for (let redirects = 0; redirects <= maximumRedirects; redirects++) {
    const { statusCode, headers, body } = await undici().request(url, {
      dispatcher: agent,
      signal,
      headers: {
        accept: "image/png, image/jpeg, image/webp",
        "accept-encoding": "identity",
        "user-agent": "svc-posters",
      },
    });
    const { location } = headers;
    if (!redirectCodes.has(statusCode) || typeof location !== "string") {
      return readImage(statusCode, headers, body, options.maximumBytes);
    }
    body.on("error", () => {}).destroy();
    url = checkedUrl(location, options, url.href);
  }
  throw refusal(`redirects more than ${maximumRedirects} times`);
}

const redirectCodes = new Set([301, 302, 303, 307, 308]);

function checkedUrl(address: string, { port }: ImageFetcherOptions, base?: string): URL {
  const url = parseUrl(address, base);
  if (url === undefined) throw refusal("is not a valid URL");
  const problem = problemOfUrl(url, port);
  if (problem !== undefined) throw refusal(problem);
  return url;
}

function problemOfUrl(url: URL, port: number): string | undefined {
  if (url.protocol !== "https:") return "is not an https URL";
  if (url.username !== "" || url.password !== "") return "contains a user name or password";
  return Number(url.port || 443) === port ? undefined : `uses a port other than ${port}`;
}

/** File types that are no PNG, JPEG or WebP image; a URL without one of these may be anything. */
const otherTypes = /\.(svgz?|gif|avif|hei[cf]|bmp|tiff?|ico|pdf|psd|ai|eps|mp4|mov|html?)$/i;

/** Why an image can never be fetched from this URL, as far as the URL shows. */
export function problemOfImageUrl(address: string): string | undefined {
  const url = parseUrl(address);
  if (url === undefined) return "is not a valid URL";
  const problem = problemOfUrl(url, imageFetcherDefaults.port);
  if (problem !== undefined) return problem;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (host === "localhost" || (isIP(host) !== 0 && !isPublicAddress(host))) return "is not a public address";
  return otherTypes.test(url.pathname) ? "is not a PNG, JPEG or WebP image" : undefined;
}

type Body = AsyncIterable<Buffer> & { destroy(): unknown; on(event: "error", listener: () => void): Body };

async function readImage(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  body: Body,
  maximumBytes: number,
): Promise<Buffer> {
  const problem = responseProblem(status, headers, maximumBytes);
  if (problem !== undefined) {
    body.on("error", () => {}).destroy();
    throw refusal(problem);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maximumBytes) throw refusal(tooLarge(maximumBytes));
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (imageTypeOf(bytes) === undefined) throw refusal("is not a PNG, JPEG or WebP image");
  return bytes;
}

function responseProblem(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  maximumBytes: number,
): string | undefined {
  if (status !== 200) return `returned status ${status}`;
  const type = String(headers["content-type"] ?? "").toLowerCase();
  if (type !== "" && !/^(image\/(png|jpe?g|webp)|(application|binary)\/octet-stream)\b/.test(type)) {
    return "is not a PNG, JPEG or WebP image";
  }
  return Number(headers["content-length"] ?? 0) > maximumBytes ? tooLarge(maximumBytes) : undefined;
}

/** Checks addresses when connecting, because DNS may resolve a name differently each time (DNS rebinding). */
function guardedConnector(options: ImageFetcherOptions): buildConnector.connector {
  const connect = undici().buildConnector({
    timeout: options.timeoutMs,
    lookup: guardedLookup(options),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  return (target, callback) => {
    const host = target.hostname.replace(/^\[(.*)\]$/, "$1");
    // Literal addresses are not looked up, so they are checked here.
    if (isIP(host) !== 0 && !options.isAllowedAddress(host)) return callback(notPublic(), null);
    connect(target, callback);
  };
}

function guardedLookup(options: ImageFetcherOptions): LookupFunction {
  return (hostname, { all }, callback) => {
    options
      .resolve(hostname)
      .then((addresses) => {
        // A name with any non-public address is refused: legitimate hosts do not mix them.
        if (!addresses.every(options.isAllowedAddress)) throw notPublic();
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = found;
        if (first === undefined) throw refusal("could not be fetched");
        return { found, first };
      })
      .then(
        ({ found, first }) => (all ? callback(null, found) : callback(null, first.address, first.family)),
        (error) => callback(error, []),
      );
  };
}

function refusal(text: string): ServiceError {
  return new ServiceError("invalid_input", text);
}

function notPublic(): ServiceError {
  return refusal("does not resolve to a public address");
}

function tooLarge(maximumBytes: number): string {
  return `is larger than ${Math.floor(maximumBytes / 1024 / 1024)} MiB`;
}
