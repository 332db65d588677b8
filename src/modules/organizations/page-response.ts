import type { ConsoleResponse } from "../../console-route.js";
import type { KeysetPage } from "../../platform/database/keyset-page.js";

export function pageResponse(page: KeysetPage): ConsoleResponse {
  return { body: pageText(page) };
}

/** The items are JSON already. */
export function pageText({ items, nextCursor }: KeysetPage): string {
  return `{"items":[${items.join(",")}],"next_cursor":${JSON.stringify(nextCursor)}}`;
}
