import { msUntilReset, type PatientFetch, type Reply, type Waiting } from "./patient-fetch.js";

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
  patientFetch: PatientFetch,
  waiting: Waiting,
  { service, key, pageSize }: { service: string; key: string; pageSize: number },
) {
  let spentUntil = 0;

  /** Spends a window, then waits for the next one instead of collecting refusals. */
  async function call(path: string, init: RequestInit = {}): Promise<Reply> {
    const waitMs = spentUntil - Date.now();
    if (waitMs > 0) await waiting.wait(waitMs, "the requests of this minute are spent");
    const headers = { authorization: `Bearer ${key}`, accept: "application/json", ...init.headers };
    const reply = await patientFetch(`${service}/api/svc${path}`, { ...init, headers });
    const spent = reply.headers.get("x-ratelimit-remaining") === "0";
    spentUntil = spent ? Date.now() + (msUntilReset(reply.headers) ?? 0) : 0;
    return reply;
  }

  async function read<Answer>(path: string): Promise<Answer> {
    const reply = await call(path);
    if (reply.status !== 200) throw new Error(explain(reply, `GET /api/svc${path}`));
    return parse(reply) as Answer;
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
      const reply = await call(`/posters/${posterId}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ posted_urls: { [platform]: url } }),
      });
      if (reply.status === 200) return { kind: "reported" };
      return { kind: "refused", status: reply.status, problem: explain(reply, `PATCH /api/svc/posters/${posterId}`) };
    },
  };
}

const advice: Record<number, string> = {
  401: "Check SVC_KEY: a key that was revoked, has expired or was copied in part is refused. `svc keys create` makes a new one.",
  403: "An organization key needs conferences:read to list and events:write to report links, and its organization must host the event.",
  404: "Check that the address is that of the service, without a path.",
  429: "Other programs use this key too: run again later, or use a key of its own.",
};

function explain(reply: Reply, request: string): string {
  const body = parse(reply);
  const said = isObject(body) && typeof body.error === "string" ? `: ${body.error}` : "";
  const hint = reply.status === 404 && said !== "" ? undefined : advice[reply.status];
  return `${request} answered ${reply.status}${said}${hint === undefined ? "" : `\n${hint}`}`;
}

function parse(reply: Reply): unknown {
  try {
    return JSON.parse(reply.bytes.toString("utf8"));
  } catch {
    if (reply.status === 200) throw new Error("the answer is not JSON: is this the address of the service?");
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
