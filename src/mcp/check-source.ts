import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../../contract/errors.js";
import { parseUrl } from "../../contract/urls.js";

export type TrustedSources = { publicUrl: string; corsOrigins: string[] };

/**
 * Protects against DNS rebinding: a page of another site can reach a service on the visitor's machine by resolving its
 * own name to it. Host and Origin then name that site, so both must be names of this service.
 */
export function createSourceCheck({ publicUrl, corsOrigins }: TrustedSources): (headers: IncomingHttpHeaders) => void {
  const own = new URL(publicUrl);
  return (headers) => {
    const host = hostnameOf(headers.host);
    if (host === undefined || (host !== own.hostname && !loopbackNames.has(host))) {
      throw new ServiceError(
        "forbidden",
        `Host: expected ${own.hostname} or localhost. If clients use another name, set PUBLIC_URL to it`,
      );
    }
    const { origin } = headers;
    if (origin === undefined || origin === own.origin || corsOrigins.includes(origin) || isLoopback(origin)) return;
    throw new ServiceError("forbidden", "Origin: this origin is not allowed; CORS_ORIGINS lists the allowed ones");
  };
}

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

const authority = /^(\[[0-9a-f:.]+\]|[^\s:@/?#[\]]+)(?::\d*)?$/;

function hostnameOf(host: string | undefined): string | undefined {
  return authority.exec(host?.toLowerCase() ?? "")?.[1];
}

function isLoopback(origin: string): boolean {
  return loopbackNames.has(parseUrl(origin)?.hostname ?? "");
}
