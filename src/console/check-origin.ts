import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../../contract/errors.js";
import { parseUrl } from "../../contract/urls.js";

/**
 * Protects people who are signed in from other sites: a browser names the page that a request comes from. A page of this
 * service has the same host as the request, or the one of PUBLIC_URL where a reverse proxy changes the host.
 */
export function checkOrigin(publicUrl: string, method: string, headers: IncomingHttpHeaders): void {
  if (method === "GET" || method === "HEAD") return;
  const { origin, host } = headers;
  // A browser always names a host; without one, an Origin that is no URL must not pass for the same.
  const named = origin === undefined ? undefined : parseUrl(origin)?.host;
  const isOwn = origin === new URL(publicUrl).origin || (named !== undefined && named === host);
  if (isOwn) return;
  throw new ServiceError(
    "forbidden",
    "Origin: expected a request from a page of the console. Scripts use the REST API or MCP with an API key",
  );
}
