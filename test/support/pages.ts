import { expect } from "vitest";
import type { Service } from "./service.js";

export type Page = {
  items: { id: string }[];
  pagination: { has_more: boolean; next_cursor: string | null; count: number };
};

export async function getPage(
  service: Service,
  key: string,
  path: string,
  query: Record<string, string> = {},
): Promise<Page> {
  const reply = await service.call(withQuery(path, query), { key });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

/** Reads a list page by page and returns its ids. Stops at the first row that is not among `own`, if given. */
export async function readList(
  service: Service,
  key: string,
  path: string,
  size = 200,
  options: { own?: Set<string>; afterPage?: (page: Page) => Promise<unknown> } = {},
): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: String(size), ...(cursor === null ? {} : { cursor }) };
    const page: Page = await getPage(service, key, path, query);
    const { has_more, next_cursor, count } = page.pagination;
    expect(count).toBe(page.items.length);
    expect(has_more).toBe(next_cursor !== null);
    if (has_more) expect(count).toBe(Math.min(size, 200));
    for (const { id } of page.items) {
      if (options.own !== undefined && !options.own.has(id)) return seen;
      // A list that repeats rows might never end.
      if (seen.includes(id)) throw new Error(`${path} returned ${id} twice`);
      seen.push(id);
    }
    cursor = next_cursor;
    await options.afterPage?.(page);
  } while (cursor !== null);
  return seen;
}

export function withQuery(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}
