import type { IncomingHttpHeaders } from "node:http";

/** Whether the headers announce a body. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}
