// An organizer's agent on the MCP endpoint: move the keynote to Hall 2, add Ada as a speaker, approve the first ten
// pending guests, generate and publish a poster, publish the run of show. Every change is previewed, then committed.
// Usage: SVC_KEY=svc_mk_… npm run organizer-agent -- http://127.0.0.1:3000 [--json]
import { parseArgs } from "node:util";

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: "boolean" } } });
const base = (positionals[0] ?? "http://127.0.0.1:3000").replace(/\/+$/, "");
const key = process.env.SVC_KEY;
if (!key) {
  console.error(
    "organizer-agent: SVC_KEY is not set. Set it to an organization key (the first `npm start` prints one)",
  );
  process.exit(2);
}

type Row = Record<string, unknown> & { id: string };
type Result = Record<string, unknown>;

let lastId = 0;
const traffic: { call: string; sent: number; received: number }[] = [];

try {
  await run();
} catch (error) {
  console.error(`organizer-agent: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  await request("initialize", "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "organizer-agent", version: "1" },
  });
  await request("tools/list", "tools/list", {});
  const { events } = (await tool("get_organization_admin_snapshot", { event_name: "keynote" })) as {
    events: Row[];
  };
  const keynote = events.find((event) => /keynote/i.test(String(event.name))) ?? events[0];
  if (keynote === undefined) throw new Error("this organization hosts no events");
  const event_id = keynote.id;
  print(`The keynote is "${String(keynote.name)}".`);

  await change("update_event_details", { event_id, venue: "Hall 2" }, "the keynote has outgrown its room");
  await change(
    "add_event_speaker",
    { event_id, name: "Ada Lovelace", title: "Analyst", company: "Analytical Engines" },
    "Ada has confirmed",
  );
  const { items } = (await tool("list_event_registrations", { event_id, status: "pending", limit: 10 })) as {
    items: Row[];
  };
  if (items.length > 0) {
    const registration_ids = items.map((guest) => guest.id);
    await change(
      "batch_update_event_registrations",
      { event_id, action: "approve", registration_ids },
      "first come, first served",
    );
  }
  const draft = await change(
    "generate_event_poster_draft",
    { event_id, format: "portrait" },
    "the line-up is complete",
  );
  const poster = posterOf(draft);
  await change(
    "set_event_poster_publication",
    { event_id, poster_id: poster.id, published: true },
    "the organizers have approved the draft",
  );
  await change("set_event_run_of_show_publication", { event_id, published: true }, "the schedule is final");
  report(String(poster.image_url));
}

/** Previews a change, then commits exactly what the preview showed. */
async function change(name: string, args: object, reason: string): Promise<Result> {
  const preview = await tool(name, args);
  const changes = preview.changes as { path: string; from: unknown; to: unknown }[];
  const result = await tool(name, { ...args, ...(preview.commit_with as object), reason });
  print(`${name}: ${changes.length === 0 ? "nothing to change" : changes.map(({ path }) => path).join(", ")}`);
  return result;
}

async function tool(name: string, args: object): Promise<Result> {
  const result = (await request(name, "tools/call", { name, arguments: args })) as {
    isError?: boolean;
    structuredContent: Result & { error?: { code: string; message: string } };
  };
  const { error } = result.structuredContent;
  if (result.isError && error !== undefined) throw new Error(`${name}: ${error.code}: ${error.message}`);
  return result.structuredContent;
}

async function request(call: string, method: string, params: object): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: ++lastId, method, params });
  const response = await fetch(`${base}/api/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body,
  });
  const text = await response.text();
  traffic.push({ call, sent: body.length, received: text.length });
  const message = JSON.parse(text) as { result?: unknown; error?: { message: string } };
  if (message.error !== undefined) throw new Error(`${call}: ${message.error.message}`);
  return message.result;
}

function posterOf(result: Result): Row {
  const { poster } = result.after as { poster: Row };
  return poster;
}

function print(text: string): void {
  if (!values.json) console.log(text);
}

function report(image: string): void {
  const sent = traffic.reduce((sum, { sent: bytes }) => sum + bytes, 0);
  const received = traffic.reduce((sum, { received: bytes }) => sum + bytes, 0);
  if (values.json) {
    console.log(JSON.stringify({ calls: traffic.length, sent, received, image_url: image, traffic }, null, 2));
    return;
  }
  console.table(traffic);
  console.log(`Poster: ${image}`);
  console.log(
    `${traffic.length} calls, ${((sent + received) / 1000).toFixed(1)} KB (${(received / 1000).toFixed(1)} received)`,
  );
}
