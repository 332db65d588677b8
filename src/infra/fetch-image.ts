import { isIP } from "node:net";
import type { Agent } from "undici";
import { ServiceError } from "../../contract/errors.js";
import { parseUrl } from "../../contract/urls.js";
import { isPublicAddress } from "./public-address.js";
import {
  checkedUrl,
  openPublicAgent,
  type PublicFetchOptions,
  problemOfUrl,
  publicFetchDefaults,
  refusal,
  undici,
} from "./public-fetch.js";

export type FetchedImage = { bytes: Buffer } | { problem: string };

export type ImageFetcher = { fetch(url: string): Promise<FetchedImage>; close(): Promise<void> };

export const imageFetcherDefaults: PublicFetchOptions = { ...publicFetchDefaults, maximumBytes: 5 * 1024 * 1024 };

const maximumRedirects = 3;

/**
 * Fetches images from URLs that callers provide, so URLs are untrusted: https only, public addresses only, and addresses
 * are checked when connecting. Failures are returned as a problem, never thrown.
 */
export function createImageFetcher(overrides: Partial<PublicFetchOptions> = {}): ImageFetcher {
  const options = { ...imageFetcherDefaults, ...overrides };
  let agent: Agent | undefined;
  return {
    async fetch(url) {
      const signal = AbortSignal.timeout(options.timeoutMs);
      agent ??= openPublicAgent(options);
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

/** By the first bytes, whatever the Content-Type header says. */
export function imageTypeOf(bytes: Buffer): "image/png" | "image/jpeg" | "image/webp" | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined;
}

async function follow(
  agent: Agent,
  options: PublicFetchOptions,
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

function tooLarge(maximumBytes: number): string {
  return `is larger than ${Math.floor(maximumBytes / 1024 / 1024)} MiB`;
}
