import type { BareResponse } from "../processes/bare-http.js";
import { benchKey, createDataset, type Dataset } from "./dataset.js";
import type { RequestOptions } from "./request-plan.js";
import { planRequest } from "./request-plan.js";
import type { Bench } from "./row.js";

/** As many as a busy process has. */
export const connections = 64;

export const pageSize = 50;

export type BaseData = Dataset & { eventsPath: string; keyCount: number; organizations: number };

let base: Promise<BaseData> | undefined;

/** The data of most rows: 10 conferences, 10,000 events, 30,000 posters; the first organization has many keys. */
export function baseData({ quick }: Bench): Promise<BaseData> {
  base ??= createBase(quick ? 10_000 : 100_000);
  return base;
}

async function createBase(keyCount: number): Promise<BaseData> {
  const organizations = 101;
  const dataset = await createDataset({ events: 10_000, keys: keyCount, organizations });
  return { ...dataset, eventsPath: eventsPath(dataset), keyCount, organizations };
}

let small: Promise<Dataset> | undefined;

/** One conference with 1,000 events, of which the first organization hosts 100. */
export function smallData(): Promise<Dataset> {
  small ??= createDataset({ events: 1_000, keys: 1, conferences: 1 });
  return small;
}

/** Every page is read from the database. */
export const uncached = { environment: { CACHE_MB: "0" } };

export function eventsPath({ conferenceId }: Pick<Dataset, "conferenceId">): string {
  return `/api/svc/conferences/${conferenceId}/events?limit=${pageSize}`;
}

/** The keys 1 to `count`, for requests that use them in turn. */
export function keyVariants(count: number): { key: string }[] {
  return Array.from({ length: count }, (_, place) => ({ key: benchKey(place + 1) }));
}

export const authorization = { authorization: "Bearer {key}" };

/** A request with the first key. */
export function withKey(options: RequestOptions, key = benchKey(1)) {
  return planRequest({
    ...options,
    headers: { ...authorization, ...options.headers },
    variants: options.variants ?? [{ key }],
  });
}

/** Headers that Node sets itself in any response. */
const ownHeaders = new Set(["connection", "keep-alive", "date", "transfer-encoding"]);

/** The service's response, for a server that sends nothing else. */
export async function captureResponse(url: string, headers: Record<string, string> = {}): Promise<BareResponse> {
  const response = await fetch(url, {
    // Without compression, as the load generator asks for it.
    headers: { authorization: `Bearer ${benchKey(1)}`, "accept-encoding": "identity", ...headers },
  });
  const sent = [...response.headers].filter(([name]) => !ownHeaders.has(name));
  const body = await response.text();
  if (response.status >= 400) throw new Error(`${url}: ${response.status} ${body}`);
  return { status: response.status, headers: Object.fromEntries(sent), body };
}
