import { isDeepStrictEqual } from "node:util";
import {
  type TicketingOperation,
  ticketingOperations,
  ticketingPrefix,
  type UpstreamCall,
} from "../../../src/ticketing/operations.js";
import { startProxy } from "./proxy.js";
import { sandboxKey, startTestSandbox } from "./sandbox.js";

const eventId = "6f1d8a52-3c0b-4e7d-9a41-5b2f7c8e9d10";
const ticketingId = "evt-7Yx2kQpLmN";
const pendingGuest = "bo@example.com";

const seed = {
  events: [
    {
      id: ticketingId,
      name: "Opening keynote",
      start_at: "2031-05-01T09:30:00Z",
      end_at: "2031-05-01T10:45:00Z",
      timezone: "Europe/Lisbon",
      description: "What lasts, and why.",
      address: "Rua do Cais 12, Lisbon",
      created_at: "2030-11-01T10:00:00Z",
      hosts: [{ name: "Harbor Labs", email: "hello@harbor.example.com" }],
      ticket_types: [
        { name: "Full pass", type: "paid" as const, cents: 49_000, currency: "eur" },
        { name: "Student", type: "free" as const },
      ],
      guests: [
        { email: "ada@example.com", name: "Ada Byron", registered_at: "2030-11-02T10:00:00Z" },
        {
          email: pendingGuest,
          name: "Bo Li",
          approval_status: "pending_approval" as const,
          registered_at: "2030-11-03T10:00:00Z",
        },
      ],
      coupons: [
        { code: "EARLYBIRD", remaining_count: 40, discount: { discount_type: "percent" as const, percent_off: 15 } },
      ],
    },
  ],
};

type Example = {
  title: string;
  method: string;
  path: string;
  query?: Record<string, string>;
  body?: object;
  /** A variable that the example is the first to use, and the request and expression that it comes from. */
  find?: Finding;
};
type Finding = { variable: string; target: string; value: string };

const eventQuery = "event_id=$EVENT";
const newestTicketType: Finding = {
  variable: "NEW_TICKET_TYPE",
  target: `event/ticket-types?${eventQuery}`,
  value: "ticket_types.at(-1).id",
};

function examples(ids: { ticketType: string; newTicketType: () => string }): (Example | (() => Example))[] {
  const event_id = eventId;
  return [
    { title: "Get event details", method: "GET", path: "event/get", query: { event_id } },
    {
      title: "List guests",
      method: "GET",
      path: "event/get-guests",
      query: { event_id, approval_status: "pending_approval", pagination_limit: "1" },
    },
    {
      title: "Get one guest",
      method: "GET",
      path: "event/get-guest",
      query: { event_id, email: pendingGuest },
      find: {
        variable: "GUEST",
        target: `event/get-guests?${eventQuery}&approval_status=pending_approval`,
        value: "entries[0].user_email",
      },
    },
    {
      title: "Add guests",
      method: "POST",
      path: "event/add-guests",
      find: { variable: "TICKET_TYPE", target: `event/ticket-types?${eventQuery}`, value: "ticket_types[0].id" },
      body: {
        event_id,
        guests: [{ email: "cy@example.com", name: "Cy Ng" }],
        ticket: { event_ticket_type_id: ids.ticketType },
      },
    },
    {
      title: "Update a guest's status",
      method: "POST",
      path: "event/update-guest-status",
      body: { event_id, guest: { type: "email", email: pendingGuest }, status: "approved" },
    },
    { title: "List ticket types", method: "GET", path: "event/ticket-types", query: { event_id } },
    {
      title: "Create a ticket type",
      method: "POST",
      path: "event/ticket-types",
      body: { event_id, name: "Day pass", type: "paid", cents: 19_000, currency: "eur" },
    },
    () => ({
      title: "Update a ticket type",
      find: newestTicketType,
      method: "PATCH",
      path: "event/ticket-types",
      body: { event_id, event_ticket_type_id: ids.newTicketType(), cents: 17_500 },
    }),
    () => ({
      title: "Delete a ticket type",
      method: "DELETE",
      path: "event/ticket-types",
      query: { event_id, event_ticket_type_id: ids.newTicketType() },
    }),
    {
      title: "Get one ticket type",
      method: "GET",
      path: "event/ticket-types/get",
      query: { event_id, event_ticket_type_id: ids.ticketType },
    },
    {
      title: "List ticket types, by the platform's path",
      method: "GET",
      path: "event/ticket-types/list",
      query: { event_id, include_hidden: "true" },
    },
    {
      title: "Create a ticket type, by the platform's path",
      method: "POST",
      path: "event/ticket-types/create",
      body: { event_id, name: "Press", type: "free", require_approval: true },
    },
    () => ({
      title: "Update a ticket type, by the platform's path",
      find: newestTicketType,
      method: "POST",
      path: "event/ticket-types/update",
      body: { event_id, event_ticket_type_id: ids.newTicketType(), description: "For journalists" },
    }),
    () => ({
      title: "Delete a ticket type, by the platform's path",
      method: "POST",
      path: "event/ticket-types/delete",
      body: { event_id, event_ticket_type_id: ids.newTicketType() },
    }),
    { title: "List coupons", method: "GET", path: "event/coupons", query: { event_id } },
    {
      title: "Create a coupon",
      method: "POST",
      path: "event/coupons",
      body: {
        event_id,
        code: "FRIENDS",
        remaining_count: 20,
        discount: { discount_type: "amount", cents_off: 2_000, currency: "eur" },
      },
    },
    {
      title: "Update a coupon",
      method: "PUT",
      path: "event/coupons",
      body: { event_id, code: "FRIENDS", remaining_count: 0 },
    },
    {
      title: "Create a coupon, by the platform's path",
      method: "POST",
      path: "event/create-coupon",
      body: { event_id, code: "CREW", discount: { discount_type: "percent", percent_off: 100 } },
    },
    {
      title: "Update a coupon, by the platform's path",
      method: "POST",
      path: "event/update-coupon",
      body: { event_id, code: "crew", remaining_count: 5 },
    },
  ];
}

/** Builds docs/ticketing.md by sending every example through the proxy to the sandbox. */
export async function buildTicketingPage(): Promise<string> {
  const sandbox = await startTestSandbox(seed);
  const proxy = await startProxy(sandbox.url, { config: { ticketing: { url: sandbox.url, apiKey: sandboxKey } } });
  try {
    const organization = await proxy.make.organization();
    const key = await proxy.make.organizationKey(organization);
    await proxy.linkedEvent([organization], { id: eventId, ticketingId });
    const { ticket_types: types } = (await sandbox.get("event/ticket-types/list", { event_id: ticketingId })).json;
    let created = "";
    const shown = new Set<string>();
    const confirmed = new Set<UpstreamCall>();
    const sections: string[] = [];
    for (const entry of examples({ ticketType: types[0].id, newTicketType: () => created })) {
      const example = typeof entry === "function" ? entry() : entry;
      const target = `${example.path}${example.query ? `?${new URLSearchParams(example.query)}` : ""}`;
      const options = { key, method: example.method, ...(example.body ? { body: example.body } : {}) };
      const reply = await proxy.call(target, options);
      if (reply.status !== 200) throw new Error(`${example.title}: ${reply.text}`);
      const { call } = operationOf(example);
      call.body?.parse(example.body ?? example.query);
      call.response.parse(reply.json);
      const { event_id: _, ...request } = (example.body ?? example.query) as Record<string, unknown>;
      if (isDeepStrictEqual({ request, response: reply.json }, call.example)) confirmed.add(call);
      if (example.method === "POST" && reply.json.ticket_type !== undefined) created = reply.json.ticket_type.id;
      shown.add(example.path);
      const variables = { EVENT: eventId, TICKET_TYPE: types[0].id, NEW_TICKET_TYPE: created, GUEST: pendingGuest };
      sections.push(section(example, withVariables(variables), reply.status, reply.json));
    }
    const missing = ticketingOperations.luma.filter(({ subpath }) => !shown.has(subpath));
    if (missing.length > 0) throw new Error(`no example for ${missing.map(({ subpath }) => subpath).join(", ")}`);
    const unconfirmed = ticketingOperations.luma.filter(({ call }) => !confirmed.has(call));
    if (unconfirmed.length > 0) {
      throw new Error(
        `the declared example is not among those sent: ${unconfirmed.map(({ operationId }) => operationId)}`,
      );
    }
    return page(sections);
  } finally {
    await proxy.close();
    await sandbox.close();
  }
}

function operationOf({ method, path }: Example): TicketingOperation {
  const found = ticketingOperations.luma.find((operation) => operation.method === method && operation.subpath === path);
  if (found === undefined) throw new Error(`not an operation: ${method} ${path}`);
  return found;
}

/** Replaces the ids that were sent by the variables in which a reader has their own. */
function withVariables(values: Record<string, string>): (text: string) => string {
  return (text) =>
    Object.entries(values).reduce(
      (shown, [name, value]) => (value ? shown.replaceAll(value, `$${name}`) : shown),
      text,
    );
}

function section(
  { title, method, path, query, body, find }: Example,
  show: (text: string) => string,
  status: number,
  response: unknown,
): string {
  const parameters = Object.entries(query ?? {}).map(([name, value]) => `${name}=${show(value)}`);
  const target = [path, ...(parameters.length > 0 ? [parameters.join("&")] : [])].join("?");
  const request = curl(target, {
    ...(method === "GET" ? {} : { method }),
    ...(body ? { body: show(JSON.stringify(body)) } : {}),
  });
  return `### ${title}

\`\`\`sh
${find === undefined ? "" : `${lookup(find)}\n`}${request}
\`\`\`

Response, ${status}:

\`\`\`json
${JSON.stringify(response, null, 2)}
\`\`\`
`;
}

function curl(target: string, { method, body }: { method?: string; body?: string } = {}): string {
  const first = `curl${method === undefined ? "" : ` -X ${method}`} "$SVC_URL${ticketingPrefix}/${target}" \\\n  -H "Authorization: Bearer $SVC_KEY"`;
  // A here-document, in which the shell replaces variables, unlike between single quotes.
  return body === undefined ? first : `${first} -H "Content-Type: application/json" -d @- <<END\n${body}\nEND`;
}

function lookup({ variable, target, value }: Finding): string {
  const request = `curl -s "$SVC_URL${ticketingPrefix}/${target}" -H "Authorization: Bearer $SVC_KEY"`;
  return `${variable}=$(${request} |\n  node -p 'JSON.parse(fs.readFileSync(0)).${value}')`;
}

function literalRows(): string {
  const { literal } = ticketingOperations;
  return [...new Set(literal.map(({ subpath }) => subpath))]
    .map(
      (path) =>
        `| \`${path}\` | ${literal.flatMap(({ subpath, method }) => (subpath === path ? [method] : [])).join(", ")} |`,
    )
    .join("\n");
}

function page(sections: string[]): string {
  const rows = ticketingOperations.luma.map(({ method, subpath, call }) => {
    const place = method === "GET" ? "query" : method === "DELETE" ? "query or body" : "body";
    const names = call.event.names.map((name) => `\`${name}\``).join(" or ");
    return `| ${method} \`${subpath}\` | ${call.summary} | \`${call.scope}\` | ${call.role} | ${place}: ${names} | ${call.method} \`${call.path}\` |`;
  });
  return `${introduction}
## Paths

Paths are relative to \`${ticketingPrefix}/\`. Any other path returns 404, any other method 405; a path may end with a slash, and HEAD is a GET without a body.

| Request | Description | Scope | Role | Event id | Forwarded as |
|---|---|---|---|---|---|
${rows.join("\n")}

${rules}
## Examples

Paste them in this order, with the organization key that the first start of the demo prints. They change data, and the real
platform would send e-mail. They need \`curl\`, and Node to pick ids from responses. \`EVENT\` is the first event of the
organization that is linked to the platform:

\`\`\`sh
export SVC_URL=http://localhost:3000
export SVC_KEY=svc_mk_…
CONFERENCE=$(curl -s "$SVC_URL/api/svc/conferences?limit=1" -H "Authorization: Bearer $SVC_KEY" |
  node -p 'JSON.parse(fs.readFileSync(0)).items[0].id')
EVENT=$(curl -s "$SVC_URL/api/svc/conferences/$CONFERENCE/events" -H "Authorization: Bearer $SVC_KEY" |
  node -p 'JSON.parse(fs.readFileSync(0)).items.find((event) => event.luma_url !== null).id')
\`\`\`

The responses are those of the sandbox when this page was generated, for an event with two guests.

${sections.join("\n")}
${operation}`;
}

const introduction = `# The ticketing proxy

\`/api/ticketing/{path}\` gives an organization access to its events on the external ticketing platform (Luma): guests, ticket
types and coupons. The platform's API key reaches every event of every organization and never leaves the service. Through the
proxy, an organization key reaches only the events that its organization hosts or co-hosts.

Generated by \`npx vitest run test/ticketing/docs-page.test.ts --update\`; the same test fails if the page is out of date.
`;

const rules = `## Request handling

- **Key.** Organization keys only, with the scope in the table, while the user they act for has at least the role in the table. All keys of an organization share one rate limit: 30 requests per minute by default (\`TICKETING_LIMIT\`).
- **Shares.** At most 30 requests of an organization, its limit per minute, and 150 of all are in flight at once; up to 30 more of an organization wait
  for 5 s. All organizations and processes together send at most 190 requests in any 60 s, because the platform blocks its key above 200 per minute; a
  call that names ticket types sends two. The last 30 of these are for organizations that have not had an equal share yet, and a request waits for 5 s if none
  is left. A 503 says which of these limits was reached. Where several processes run, they count together through Redis (\`REDIS_URL\`).
- **Credentials.** An API key, a ticket key (\`g-…\`) or a check-in code in the path, the query or the body returns 400 and is neither recorded nor forwarded.
  Only \`id\`, \`api_id\` and \`proxy_key\` of \`event/get-guest\` may hold a ticket key.
- **Event id.** Give the event's UUID in the field named in the table; the proxy replaces it with the platform's id. The platform's
  \`evt-…\` id is accepted too, with the same checks. Exactly one event id is forwarded: repeated parameters, two names at once, lists,
  other spellings (\`Event_Id\`, \`eventId\`), the platform's event ids in other fields and UUIDs of your own events there return 400. Any other UUID is forwarded as it is.
- **Event access.** 404 for unknown, draft and archived events; 403 if the key's organization does not host the event, or for an \`evt-…\` id
  that no event here has; 409 if the event is not linked to the platform.
- **Ticket types.** The platform accepts ticket types without their event. The proxy requires \`event_id\` as well, and every ticket type in a
  request (also in \`add-guests\`) must belong to that event: the proxy first fetches the event's list, which counts as another request
  against the platform's rate limit. 404 for a ticket type that is not on the list.
- **Query and body.** Query parameters that \`GET /api/svc\` does not list are ignored, and \`X-Ignored-Query-Parameters\` names them. Bodies are JSON objects of at most 256 KiB and
  5,000 fields and list items, without repeated keys; unknown fields are forwarded. A DELETE takes its fields in the query or in the body. Headers are not forwarded.
- **Response.** The platform's status and body, unchanged, streamed, up to 32 MiB. Its cookies, rate-limit headers, hop-by-hop headers
  and headers that make a browser act (\`Refresh\`, \`Link\`) are removed, HTML is relayed as text;
  \`X-RateLimit-*\` are this service's own. A 429 of the platform becomes a 503 with \`Retry-After\`, because it is the service's key that is limited.
- **History.** Every write is recorded before it is sent (tool \`ticketing:<path>\`), and again with its outcome: \`answered\`, \`not_sent\` or \`unknown\`.
  A write that cannot be recorded is not sent. An outcome that cannot be recorded within 2 s is recorded later; the response does not wait for it. A write with only
  the first record was cut off: \`svc audit --unfinished\` lists these. Of a request above 16 KB, the record has the SHA-256 and the length, and ids and other short values.

| Status | Condition |
|---|---|
| 400 | invalid request; the error names the field |
| 401, 403, 404, 409 | see above |
| 413, 415 | the body exceeds 256 KiB; it is not uncompressed JSON |
| 429 | rate limit of the organization exceeded |
| 502 | the platform cannot be reached, sent an incomplete or invalid response, or rejected the service's key |
| 503 | no platform is configured, or a limit of requests is reached: in flight, to the platform, or by the platform itself (\`Retry-After\`) |
| 504 | the platform did not respond within 10 s, or did not complete a small response within 10 s |

A call ends after 120 s at the latest, and when its caller takes nothing of the response for 10 s.

A read is retried once if its connection breaks. A write is never retried: the platform has no idempotency keys, and \`add-guests\` and
\`update-guest-status\` send e-mail. After a 502 or 504 to a write, check the guests before you retry: the error says whether it may have been carried out.

**\`add-guests\` is not an invitation.** It skips payment and approval: every guest on the list gets a ticket at once, and an e-mail.

**Guests there and registrations here are two lists.** A call through the proxy changes guests on the platform only. The MCP tools and the
console (\`approve_event_registration\`, \`add_event_guest\` and so on) change registrations here only, and notify nobody. Approving a
guest in one list leaves the other as it is, for example at \`pending_approval\`.
`;

const operation = `## Connecting the real platform

\`\`\`sh
TICKETING_URL=https://public-api.luma.com/v1 TICKETING_API_KEY=<the calendar's API key> svc serve
svc events link "Opening keynote" --ticketing-id evt-7Yx2kQpLmN
\`\`\`

\`ticketing_event_id\` in an import has the same effect as \`svc events link\`. A platform id can be linked to only one event. Without \`TICKETING_URL\`,
a service on PostgreSQL returns 503; one on the embedded database starts the sandbox instead.

## Platforms with exactly seven paths

By default, requests are forwarded to Luma's paths, as the table above says. For a platform that has exactly the proxy's seven, \`TICKETING_PATHS=literal\` forwards path
and method unchanged:

| Path | Methods |
|---|---|
${literalRows()}

- **Not forwarded.** Any other path returns 404 and any other method 405, also PUT and PATCH of coupons. \`GET /api/svc\` and \`/openapi.json\` list what
  the deployment forwards.
- **Checks.** The same as above, with the same scopes, roles, limits and records.
- **Fields.** The same names as Luma's. The platform receives the event id as \`id\` on \`event/get\` and as \`event_id\` on every other path, whichever name the
  caller used; the fields of a DELETE in the query or in the body, where the caller gave them; and its key as \`x-luma-api-key\`.
- **Ticket types.** The list is \`GET event/ticket-types?event_id=…&include_hidden=true\`, and has to be \`{"ticket_types": [{"id": "…"}]}\`, of this event only. If the
  platform returns anything else, requests that name a ticket type are not forwarded.

The setting needs \`TICKETING_URL\`: the sandbox has Luma's paths only.

## The sandbox

A stand-in for the platform that ships with the service: same paths, response shapes, statuses and rate limit (200 requests per minute, then
blocked for a minute). It sends no e-mail. On the embedded database, \`svc serve\` starts it on loopback with the demo's events and keeps its state in
\`DATA_DIR/ticketing-sandbox\`. The e-mail it would have sent is at the outbox URL that \`svc serve --json\` prints. To run it standalone:

\`\`\`sh
svc ticketing-sandbox --port 4010 --state sandbox.jsonl --seed events.json --key local-platform-key
\`\`\`

A minimal seed: \`{"events": [{"id": "evt-A", "name": "A talk", "start_at": "2031-05-01T18:00:00Z", "end_at": "2031-05-01T19:00:00Z", "timezone": "UTC"}]}\`;
\`ticket_types\`, \`guests\`, \`coupons\` and \`hosts\` are optional. Events already in the sandbox are left unchanged.
`;
