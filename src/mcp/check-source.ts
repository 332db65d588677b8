import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../platform/errors.js";

export type TrustedSources = { publicUrl: string; corsOrigins: string[] };

/**
 * A page of another site can make a browser send requests to a service on the visitor's own machine by pointing its own
 * name there. Such requests name that site in Host and Origin: both must be names that this service goes by.
 */
export function checkSource({ publicUrl, corsOrigins }: TrustedSources, headers: IncomingHttpHeaders): void {
  const own = new URL(publicUrl);
  const host = hostnameOf(headers.host);
  if (host === undefined || (host !== own.hostname && !loopbackNames.has(host))) {
    throw new ServiceError(
      "forbidden",
      `Host: ${own.hostname} and localhost are served here. Where clients use another name, set PUBLIC_URL to it`,
    );
  }
  const { origin } = headers;
  if (origin === undefined || origin === own.origin || corsOrigins.includes(origin) || isLoopback(origin)) return;
  throw new ServiceError(
    "forbidden",
    "Origin: pages of this origin may not call the service; CORS_ORIGINS lists those that may",
  );
}

const loopbackNames = new Set(["localhost", "127.0.0.1", "[::1]"]);

const authority = /^(\[[0-9a-f:.]+\]|[^\s:@/?#[\]]+)(?::\d*)?$/;

function hostnameOf(host: string | undefined): string | undefined {
  return authority.exec(host?.toLowerCase() ?? "")?.[1];
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && loopbackNames.has(new URL(origin).hostname);
}
