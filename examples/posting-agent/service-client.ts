import { type FetchedResponse, msUntilReset, type RetryingFetch, type Waiter } from "./retrying-fetch.js";

export type KeyInformation = { name: string; scope: string; scopes: string[] | null; expires_at: string | null };

export type Conference = { id: string; name: string; slug: string; short_name: string };

export type EventSummary = {
  id: string;
  name: string;
  start_time: string;
  end_time: string;
  timezone: string;
  venue: string | null;
  venue_address: string | null;
  luma_url: string | null;
  conference_id: string;
};

export type Poster = {
  id: string;
  event_id: string;
  conference_id: string | null;
  image_url: string;
  title: string | null;
  metadata: Record<string, unknown>;
  posted_urls: Record<string, string> | null;
};

type Page<Item> = { items: Item[]; pagination: { next_cursor: string | null } };

export type ReportOutcome = { kind: "reported" } | { kind: "refused"; status: number; problem: string };

export type ServiceClient = ReturnType<typeof createServiceClient>;

export function createServiceClient(
  retryingFetch: RetryingFetch,
  waiter: Waiter,
  { service, key, pageSize }: { service: string; key: string; pageSize: number },
) {
  let exhaustedUntilMs = 0;

  /** Waits for the next rate limit window once the current one is exhausted, instead of provoking 429s. */
  async function call(path: string, init: RequestInit = {}): Promise<FetchedResponse> {
    const waitMs = exhaustedUntilMs - Date.now();
    if (waitMs > 0) await waiter.wait(waitMs, "rate limit window exhausted");
    const headers = { authorization: `Bearer ${key}`, accept: "application/json", ...init.headers };
    const response = await retryingFetch(`${service}/api/svc${path}`, { ...init, headers });
    const exhausted = response.headers.get("x-ratelimit-remaining") === "0";
    exhaustedUntilMs = exhausted ? Date.now() + (msUntilReset(response.headers) ?? 0) : 0;
    return response;
  }

  async function read<Body>(path: string): Promise<Body> {
    const response = await call(path);
    if (response.status !== 200) throw new Error(explain(response, `GET /api/svc${path}`));
    return parse(response) as Body;
  }

  async function* pages<Item>(path: string, filters: Record<string, string> = {}): AsyncGenerator<Item> {
    let cursor: string | null = null;
    do {
      const query = new URLSearchParams({
        ...filters,
        limit: String(pageSize),
        ...(cursor === null ? {} : { cursor }),
      });
      const page: Page<Item> = await read(`${path}?${query}`);
      yield* page.items;
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
  }

  return {
    ping: () => read<KeyInformation>("/ping"),
    conferences: () => pages<Conference>("/conferences"),
    events: (conferenceId: string) => pages<EventSummary>(`/conferences/${conferenceId}/events`),
    publishedPosters: (conferenceId: string | undefined) =>
      pages<Poster>("/posters", {
        published: "true",
        ...(conferenceId === undefined ? {} : { conference_id: conferenceId }),
      }),
    async report(posterId: string, platform: string, url: string): Promise<ReportOutcome> {
      const response = await call(`/posters/${posterId}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ posted_urls: { [platform]: url } }),
      });
      if (response.status === 200) return { kind: "reported" };
      return {
        kind: "refused",
        status: response.status,
        problem: explain(response, `PATCH /api/svc/posters/${posterId}`),
      };
    },
  };
}

const advice: Record<number, string> = {
  401: "Check SVC_KEY: the key may be incomplete, expired or revoked. `svc keys create` creates a new one.",
  403: "An organization key needs conferences:read to list and events:write to report links, and its organization must host or co-host the event.",
  404: "Check BASE_URL: expected the address of the service, without a path.",
  429: "Other programs use the same key: run again later, or use a separate key.",
};

function explain(response: FetchedResponse, request: string): string {
  const body = parse(response);
  const message = isObject(body) && typeof body.error === "string" ? `: ${body.error}` : "";
  const hint = response.status === 404 && message !== "" ? undefined : advice[response.status];
  return `${request} responded with ${response.status}${message}${hint === undefined ? "" : `\n${hint}`}`;
}

function parse(response: FetchedResponse): unknown {
  try {
    return JSON.parse(response.bytes.toString("utf8"));
  } catch {
    if (response.status === 200) throw new Error("the response is not JSON. Check BASE_URL");
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
