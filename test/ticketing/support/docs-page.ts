import { operations } from "../../../src/ticketing/operations.js";
import { startProxy } from "./proxy.js";
import { sandboxKey, startTestSandbox } from "./sandbox.js";

const eventId = "6f1d8a52-3c0b-4e7d-9a41-5b2f7c8e9d10";
const ticketingId = "evt-7Yx2kQpLmN";

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
          email: "bo@example.com",
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

type Example = { title: string; method: string; path: string; query?: Record<string, string>; body?: object };

function examples(ids: { ticketType: string; newTicketType: () => string }): (Example | (() => Example))[] {
  const event_id = eventId;
  return [
    { title: "Get event details", method: "GET", path: "event/get", query: { event_id } },
    {
      title: "List guests",
      method: "GET",
      path: "event/get-guests",
      query: { event_id, approval_status: "approved", pagination_limit: "1" },
    },
    { title: "Get one guest", method: "GET", path: "event/get-guest", query: { event_id, email: "bo@example.com" } },
    {
      title: "Add guests",
      method: "POST",
      path: "event/add-guests",
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
      body: { event_id, guest: { type: "email", email: "bo@example.com" }, status: "approved" },
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
      title: "The same by the platform's own names: list",
      method: "GET",
      path: "event/ticket-types/list",
      query: { event_id, include_hidden: "true" },
    },
    {
      title: "Create",
      method: "POST",
      path: "event/ticket-types/create",
      body: { event_id, name: "Press", type: "free", require_approval: true },
    },
    () => ({
      title: "Update",
      method: "POST",
      path: "event/ticket-types/update",
      body: { event_id, event_ticket_type_id: ids.newTicketType(), description: "For journalists" },
    }),
    () => ({
      title: "Delete",
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
      title: "The same by the platform's own names: create a coupon",
      method: "POST",
      path: "event/create-coupon",
      body: { event_id, code: "CREW", discount: { discount_type: "percent", percent_off: 100 } },
    },
    {
      title: "Update a coupon, by the platform's own name",
      method: "POST",
      path: "event/update-coupon",
      body: { event_id, code: "crew", remaining_count: 5 },
    },
  ];
}

/** Makes docs/ticketing.md: every request in it was sent through the proxy to the sandbox, and every answer came back. */
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
    const sections: string[] = [];
    for (const entry of examples({ ticketType: types[0].id, newTicketType: () => created })) {
      const example = typeof entry === "function" ? entry() : entry;
      const target = `${example.path}${example.query ? `?${new URLSearchParams(example.query)}` : ""}`;
      const options = { key, method: example.method, ...(example.body ? { body: example.body } : {}) };
      const reply = await proxy.call(target, options);
      if (reply.status !== 200) throw new Error(`${example.title}: ${reply.text}`);
      if (example.method === "POST" && reply.json.ticket_type !== undefined) created = reply.json.ticket_type.id;
      shown.add(example.path);
      sections.push(section(example, target, reply.status, reply.json));
    }
    const missing = operations.filter(({ path }) => !shown.has(path));
    if (missing.length > 0) throw new Error(`no example for ${missing.map(({ path }) => path).join(", ")}`);
    return page(sections);
  } finally {
    await proxy.close();
    await sandbox.close();
  }
}

function section({ title, method, body }: Example, target: string, status: number, answer: unknown): string {
  const data =
    body === undefined ? "" : ` \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(body)}'`;
  return `### ${title}

\`\`\`sh
curl${method === "GET" ? "" : ` -X ${method}`} "$SVC_URL/api/ticketing/${target}" \\
  -H "Authorization: Bearer $SVC_KEY"${data}
\`\`\`

Answer, ${status}:

\`\`\`json
${JSON.stringify(answer, null, 2)}
\`\`\`
`;
}

function page(sections: string[]): string {
  const rows = operations.map(({ method, path, call }) => {
    const place = method === "GET" ? "query" : method === "DELETE" ? "query or body" : "body";
    const names = call.event.names.map((name) => `\`${name}\``).join(" or ");
    return `| ${method} \`${path}\` | ${call.summary} | \`${call.scope}\` | ${place}: ${names} | ${call.method} \`${call.path}\` |`;
  });
  return `${introduction}
## Paths

Below \`/api/ticketing/\`. Any other path is a 404, any other method of these a 405.

| Call | Does | Scope | Event id | Becomes |
|---|---|---|---|---|
${rows.join("\n")}

${rules}
## Examples

Each of these was sent to the sandbox when this page was made. \`SVC_URL\` is the address of the service, \`SVC_KEY\` an organization key.

${sections.join("\n")}
${operation}`;
}

const introduction = `# The ticketing proxy

\`/api/ticketing/{path}\` lets an organization work with its events on the external ticketing platform (Luma): guests, ticket
types, coupons. The platform's own key reaches every event of every organization and stays in the service. An organization
key reaches, through the proxy, just the events that its organization hosts or co-hosts.

This page is made by \`npx vitest run test/ticketing/docs-page.test.ts --update\`, and the same test fails when it is out of date.
`;

const rules = `## What happens to a request

- **Key.** Organization keys only; all keys of an organization share one limit (30 requests a minute unless \`TICKETING_LIMIT\` says otherwise).
- **Event id.** Give the event's uuid in the field that the table names; the proxy puts the platform's id in its place. The
  platform's own \`evt-…\` id is taken too, with the same checks. Exactly one event id leaves the service: repeated parameters,
  two names at once, lists, other spellings (\`Event_Id\`, \`eventId\`) and event ids elsewhere in a request are a 400.
- **Which events.** Unknown, draft and archived events: 404. Not hosted by the key's organization, or an \`evt-…\` id of no event here: 403.
  Hosted, but not linked: 409.
- **Ticket types.** The platform takes a ticket type without its event. Here \`event_id\` is needed as well, and every ticket type that a
  request names (also the ones in \`add-guests\`) has to be one of that event: the proxy asks the platform for the event's list first, which
  is one more request of the platform's own limit. One that is not in it: 404.
- **Query and body.** Parameters that are not listed in \`GET /api/svc\` are ignored. Bodies are JSON objects of at most 1 MiB without repeated keys;
  fields that the proxy does not know are passed on. A DELETE takes its fields in the query or in the body. Headers are not passed on.
- **Answer.** The platform's status and body as they are, up to 32 MiB, streamed. Its cookies, rate-limit headers and hop-by-hop headers stay behind;
  \`X-RateLimit-*\` are this service's own. The platform's 429 comes back as it is with its \`Retry-After\`: its key is then blocked for a minute, for everyone.
- **History.** Every write is recorded before it is sent (tool \`ticketing:<path>\`) and once more with its outcome: \`answered\`, \`not_sent\` or \`unknown\`.
  A write with only the first record was under way when the service was stopped. Check-in codes are left out.

| Status | When |
|---|---|
| 400 | the request is malformed; the text names the field |
| 401, 403, 404, 409 | see above |
| 413, 415 | the body is above 1 MiB; it is not plain JSON |
| 429 | the organization's limit, or the platform's own |
| 502 | the platform cannot be reached, broke off, sent something unreadable, or refuses the service's key |
| 503 | no platform is configured, or 50 requests are under way already (\`Retry-After\`) |
| 504 | the platform did not answer within 10 s |

A read whose connection breaks is sent once more. A write never is: the platform knows no idempotency key, and \`add-guests\` and
\`update-guest-status\` send e-mail. After a 502 or 504 to a write, look at the guests before you send it again.

**\`add-guests\` is not an invitation.** It skips payment and approval: whoever is in the list has a ticket at once, and gets an e-mail.
`;

const operation = `## The real platform

\`\`\`sh
TICKETING_URL=https://public-api.luma.com/v1 TICKETING_API_KEY=<the calendar's API key> svc serve
svc events link "Opening keynote" --ticketing-id evt-7Yx2kQpLmN
\`\`\`

\`ticketing_event_id\` in an import does the same as \`svc events link\`. An id of the platform belongs to one event here. Without \`TICKETING_URL\` a service
on PostgreSQL answers 503; one with the embedded database starts the sandbox instead.

## The sandbox

A stand-in of the platform that ships with the service: same paths, shapes, statuses and limit (200 a minute, then a block of one minute), and it sends
no e-mail. With the embedded database, \`svc serve\` runs it beside itself on loopback with the demo's events, and keeps its state in \`DATA_DIR/ticketing-sandbox\`.
What it would have mailed is at the outbox address that \`svc serve --json\` prints. By itself:

\`\`\`sh
svc ticketing-sandbox --port 4010 --state sandbox.jsonl --seed events.json --key local-platform-key
\`\`\`

A seed needs little: \`{"events": [{"id": "evt-A", "name": "A talk", "start_at": "2031-05-01T18:00:00Z", "end_at": "2031-05-01T19:00:00Z", "timezone": "UTC"}]}\`;
\`ticket_types\`, \`guests\`, \`coupons\` and \`hosts\` are optional. Events that the sandbox already has are left as they are.
`;
