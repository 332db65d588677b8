import { lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import type { Agent, buildConnector } from "undici";
import { ServiceError } from "../../contract/errors.js";
import { parseUrl } from "../../contract/urls.js";
import { loadOnDemand } from "./load-on-demand.js";
import { isPublicAddress } from "./public-address.js";

/** How URLs that callers provide may be fetched. They are untrusted: https only, and public addresses only. */
export type PublicFetchOptions = {
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

export const publicFetchDefaults = {
  resolve: async (hostname: string) => (await systemLookup(hostname, { all: true })).map(({ address }) => address),
  isAllowedAddress: isPublicAddress,
  port: 443,
  ca: undefined,
  timeoutMs: 5_000,
};

/** Few connections, which check addresses when they are opened. */
export function openPublicAgent(options: PublicFetchOptions): Agent {
  const { Agent } = undici();
  return new Agent({ connect: guardedConnector(options), connections: 8, pipelining: 1 });
}

export function undici(): typeof import("undici") {
  return loadOnDemand("undici");
}

/** The URL, if it may be fetched; relative to `base` for a redirect. */
export function checkedUrl(address: string, { port }: Pick<PublicFetchOptions, "port">, base?: string): URL {
  const url = parseUrl(address, base);
  if (url === undefined) throw refusal("is not a valid URL");
  const problem = problemOfUrl(url, port);
  if (problem !== undefined) throw refusal(problem);
  return url;
}

export function problemOfUrl(url: URL, port: number): string | undefined {
  if (url.protocol !== "https:") return "is not an https URL";
  if (url.username !== "" || url.password !== "") return "contains a user name or password";
  return Number(url.port || 443) === port ? undefined : `uses a port other than ${port}`;
}

/** Checks addresses when connecting, because DNS may resolve a name differently each time (DNS rebinding). */
function guardedConnector(options: PublicFetchOptions): buildConnector.connector {
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

function guardedLookup(options: PublicFetchOptions): LookupFunction {
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

export function refusal(text: string): ServiceError {
  return new ServiceError("invalid_input", text);
}

function notPublic(): ServiceError {
  return refusal("does not resolve to a public address");
}
