import sql from "sql-template-tag";
import { beforeEach, describe, expect, it } from "vitest";
import { generateKey } from "../../src/access/api-key.js";
import { legacy } from "../mcp/messages.js";
import { call, type Reply } from "../support/call.js";
import { useProxy } from "../ticketing/support/use-proxy.js";

/** Credentials in the wrong place are refused by name, and never stored, logged or forwarded. */

const apiKey = generateKey().key;
const ticketKey = "g-cb9197cf2a13347";
const checkInCode = `https://luma.example.com/check-in/evt-7Yx2kQpLmN?pk=${ticketKey}`;
const secrets: [string, string][] = [
  ["an API key", apiKey],
  ["an API key in a text", `my key is ${apiKey}, please use it`],
  ["a ticket key", ticketKey],
  ["a check-in code", checkInCode],
];

const { proxy, upstream, tenant } = useProxy();

beforeEach(() => {
  upstream.received.length = 0;
});

async function expectRefused(reply: Reply, field: string): Promise<void> {
  expect(reply.status, reply.text).toBe(400);
  expect(reply.json.field).toBe(field);
  expect(reply.json.error).toMatch(new RegExp(`^${field.replace(/[[\].]/g, "\\$&")}: .*Nothing was stored or sent$`));
  await expectNowhere(reply.text);
}

/** The next check, of an event id that is not one, has failed. */
function expectAccepted(reply: Reply): void {
  expect(reply.json.error).toMatch(/^event_id: expected/);
}

async function expectNowhere(response: string): Promise<void> {
  const records = await proxy.db.query(sql`select * from mutation_records where event_id = ${tenant.event.id}`);
  expect(records).toEqual([]);
  expect(upstream.received).toEqual([]);
  for (const text of [response, proxy.logged()]) {
    expect(text).not.toContain(apiKey);
    expect(text).not.toContain(ticketKey);
  }
}

describe("the ticketing proxy", () => {
  const add = (fields: object) =>
    proxy.call("event/add-guests", { key: tenant.key, method: "POST", body: { event_id: tenant.event.id, ...fields } });

  it.each(secrets)("refuses %s in a body, at any depth", async (_what, secret) => {
    await expectRefused(await add({ note: secret }), "note");
    await expectRefused(await add({ guests: [{ email: "a@example.com" }, { name: secret }] }), "guests[1].name");
  });

  it.each(secrets)("refuses %s in a query", async (_what, secret) => {
    const get = (parameter: string) =>
      proxy.call(`event/get-guests?event_id=${tenant.event.id}&${parameter}=${encodeURIComponent(secret)}`, {
        key: tenant.key,
      });
    await expectRefused(await get("sort_column"), "sort_column");
    await expectRefused(await get("not_a_parameter"), "not_a_parameter");
  });

  it("refuses a key as field name, without repeating it", async () => {
    await expectRefused(await add({ note: { [apiKey]: 1 } }), "note");
  });

  it("refuses an API key where a ticket key may be, and in the path", async () => {
    await expectRefused(
      await proxy.call(`event/get-guest?event_id=${tenant.event.id}&proxy_key=${apiKey}`, { key: tenant.key }),
      "proxy_key",
    );
    const reply = await proxy.call(`event/${apiKey}`, { key: tenant.key });
    expect([reply.status, reply.json.error]).toEqual([400, expect.stringMatching(/^path: contains an API key/)]);
    expect(reply.text).not.toContain(apiKey);
  });

  it.each(["qr", "ticket_key", "ticketKey", "check_in_qr_code", "check_in_code", "proxy_key", "pk", "luma_api_key"])(
    "refuses a value of the field %s",
    async (name) => {
      await expectRefused(await add({ guests: [{ [name]: "opaque-value" }] }), `guests[0].${name}`);
      expectAccepted(await add({ event_id: "x", guests: [{ [name]: null }] }));
    },
  );

  it("accepts a ticket key to look up its guest", async () => {
    for (const name of ["id", "api_id", "proxy_key"]) {
      expect(
        (await proxy.call(`event/get-guest?event_id=${tenant.event.id}&${name}=${ticketKey}`, { key: tenant.key }))
          .status,
      ).toBe(200);
    }
    expect(upstream.received).toHaveLength(3);
  });

  it.each(["g-force", `g-${"aB3".repeat(20)}`, "g-string theory", "svc_mk_…", "https://example.com/post?pk=12"])(
    "accepts %j",
    async (text) => {
      expectAccepted(await add({ event_id: "x", note: text }));
    },
  );
});

describe("PATCH of a poster", () => {
  it.each(secrets)("refuses %s", async (_what, secret) => {
    const poster = await proxy.make.poster(tenant.event.id);
    const patch = (body: object, query = "") =>
      call(proxy.url, `/api/svc/posters/${poster}${query}`, { key: tenant.key, body });
    const link = secret.startsWith("https") ? secret : `https://x.example.com/${encodeURIComponent(secret)}`;
    if (secret !== ticketKey) await expectRefused(await patch({ posted_urls: { x: link } }), "posted_urls.x");
    await expectRefused(await patch({ posted_urls: { x: secret } }), "posted_urls.x");
    await expectRefused(await patch({ posted_urls: { [secret]: "https://x.example.com" } }), "posted_urls");
    await expectRefused(await patch({ posted_urls: {} }, `?token=${encodeURIComponent(secret)}`), "token");
  });
});

describe("arguments of a tool", () => {
  const send = (body: string) => call(proxy.url, "/api/mcp", { key: tenant.key, method: "POST", body });

  it.each(secrets)("refuse %s, also as reason", async (_what, secret) => {
    const refusal = async (name: string, args: object) => {
      const { text, json } = await send(JSON.stringify(legacy("tools/call", { name, arguments: args })));
      await expectNowhere(text);
      return json.result.structuredContent.error;
    };
    const event_id = tenant.event.id;
    const refused = [
      await refusal("update_event_details", { event_id, venue: secret }),
      await refusal("update_event_details", { event_id, venue: "Hall", dry_run: false, reason: secret }),
      await refusal("update_organization_profile", { social_links: { x: secret } }),
    ];
    expect(refused.map(({ code, message }) => [code, message.split(":")[0]])).toEqual([
      ["invalid_input", "venue"],
      ["invalid_input", "reason"],
      ["invalid_input", "social_links.x"],
    ]);
  });

  it("may be nested deeply without harm", async () => {
    const depth = 20_000;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_event_details","arguments":{"venue":${"[".repeat(depth)}"${apiKey}"${"]".repeat(depth)}}}}`;
    const { status, text } = await send(body);
    expect(status).not.toBe(500);
    await expectNowhere(text);
  });
});
