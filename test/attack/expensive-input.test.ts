import { beforeAll, describe, expect, it } from "vitest";
import { legacy, post } from "../mcp/messages.js";
import type { Reply } from "../support/call.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";

/** Input that is expensive to refuse. Costs are compared with those of an accepted request of the same size in the same run. */

const { service, make } = useService(() =>
  startService({
    limits: { rest: 1_000_000, mcp: 1_000_000, ticketing: 1_000_000 },
    // Never reached: every request is refused first.
    ticketing: { url: "http://127.0.0.1:9", apiKey: "unused" },
  }),
);
let key: string;
let poster: string;

beforeAll(async () => {
  const organization = await make.organization();
  key = await make.organizationKey(organization);
  poster = await make.poster(await make.event(await make.conference(), { hosts: [organization] }));
});

const kibibyte = 1024;

/** Entries up to a size in bytes. */
function fill(bytes: number, entry: (index: number) => string): string {
  const parts: string[] = [];
  for (let size = 0; size < bytes; size += (parts.at(-1)?.length ?? 0) + 1) parts.push(entry(parts.length));
  return parts.join();
}

const shapes: Record<string, (bytes: number) => string> = {
  "many keys": (bytes) => `{${fill(bytes, (n) => `"${n.toString(36)}":1`)}}`,
  "many repeated keys": (bytes) => `{${fill(bytes, () => '"a":1')}}`,
  "many numbers": (bytes) => `[${fill(bytes, () => "1")}]`,
  "many empty objects": (bytes) => `[${fill(bytes, () => "{}")}]`,
  "deep nesting": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "deep nesting that never ends": (bytes) => '{"a":'.repeat(bytes / 5),
  "a long number": (bytes) => "9".repeat(bytes),
  "a long string of escapes": (bytes) => `"${"\\u0000".repeat(bytes / 6)}"`,
  "a long key": (bytes) => `{"${"é".repeat(bytes / 2)}":1}`,
  "a text of links": (bytes) => `"${"/check-in/?pk".repeat(bytes / 13)}"`,
  "white space": (bytes) => `[${" ".repeat(bytes)}{}]`,
};

const toolCall = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_organization_profile","arguments":${args}}}`;

type Target = { limitBytes: number; send(value: string): Promise<Reply>; accepted(): Promise<Reply> };

const targets: Record<string, Target> = {
  "a tool argument": {
    limitBytes: 128 * kibibyte,
    send: (value) => post(service, key, toolCall(`{"social_links":${value}}`)),
    accepted: () => post(service, key, legacy("ping", { padding: "x".repeat(127 * kibibyte) })),
  },
  "all tool arguments": {
    limitBytes: 128 * kibibyte,
    send: (value) => post(service, key, toolCall(value)),
    accepted: () => post(service, key, legacy("ping", { padding: "x".repeat(127 * kibibyte) })),
  },
  "a PATCH": {
    limitBytes: 64 * kibibyte,
    send: (value) => service.call(`/api/svc/posters/${poster}`, { key, body: `{"posted_urls":${value}}` }),
    accepted: () => post(service, key, legacy("ping", { padding: "x".repeat(63 * kibibyte) })),
  },
  "a ticketing write": {
    limitBytes: 256 * kibibyte,
    send: (value) =>
      service.call("/api/ticketing/event/add-guests", {
        key,
        method: "POST",
        body: `{"event_id":"evt-unknown","guests":${value}}`,
      }),
    accepted: () => post(service, key, legacy("ping", { padding: "x".repeat(127 * kibibyte) })),
  },
};

/** CPU time of a request in this process, which is client and server; the least of some, because others use the machine. */
async function cpuOf(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const before = process.cpuUsage();
    await request();
    const { user, system } = process.cpuUsage(before);
    times.push(user + system);
  }
  return Math.min(...times);
}

const refusal = (reply: Reply) => reply.status >= 400 || reply.json.error !== undefined || reply.json.result.isError;

describe.each(Object.entries(targets))("%s", (_name, { limitBytes, send, accepted }) => {
  it.each(Object.entries(shapes))("of %s costs about as much as an accepted request", async (shape, make) => {
    const value = make(limitBytes - kibibyte);
    const reply = await send(value);
    expect(reply.status).not.toBe(413);
    expect(reply.status).toBeLessThan(500);
    expect(refusal(reply)).toBe(true);
    expect(reply.text.length).toBeLessThan(3_000);
    // Refused while the text is read, before anything is parsed.
    if (shape.endsWith("repeated keys")) expect(reply.text).toMatch(/expected each key once/);
    else if (/^(many|deep)/.test(shape)) expect(reply.text).toMatch(/expected at most \d+ (fields and list|levels of)/);
    expect(await cpuOf(() => send(value))).toBeLessThan(15 * (await cpuOf(accepted)));
  });

  it("larger than the limit is a 413", async () => {
    expect((await send(`"${"x".repeat(limitBytes)}"`)).status).toBe(413);
  });
});

it("counts the entries of lists and records before it checks them", async () => {
  const call = async (args: string) => (await post(service, key, toolCall(args))).json.result.structuredContent.error;
  const links = (count: number) => `{"social_links":{${Array.from({ length: count }, (_, n) => `"${n}":1`).join()}}}`;
  expect((await call(links(21))).message).toBe("social_links: expected at most 20 links");
  expect((await call(links(20))).message).toMatch(/^social_links\.0: expected an? .*; and more$/);
  const platforms = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [n, 1]));
  const patched = await service.call(`/api/svc/posters/${poster}`, { key, body: { posted_urls: platforms } });
  expect(patched.json.error).toBe("posted_urls: expected at most 500 platforms");
});

it("reports at most ten problems", async () => {
  const unknown = `{${Array.from({ length: 1_500 }, (_, n) => `"unknown${n}":1`).join()}}`;
  const { error } = (await post(service, key, toolCall(unknown))).json.result.structuredContent;
  const problems = Array.from({ length: 10 }, (_, n) => `unknown${n}: unknown field`).join("; ");
  expect(error.message).toMatch(`${problems}; and more. Known fields: name, description, `);
  expect(error.issues).toHaveLength(10);
});

it("a request line of the longest length is answered", async () => {
  const query = Array.from({ length: 2_500 }, (_, n) => `a${n.toString(36)}=`).join("&");
  expect((await service.call(`/api/svc/posters?${query}`, { key })).status).toBe(200);
  expect((await service.call(`/api/ticketing/event/get?${query}`, { key })).status).toBe(400);
});
