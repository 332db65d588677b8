import { describe, expect, it } from "vitest";
import { post } from "../mcp/messages.js";
import { kibibyte, shapes, toolCall, useExpensiveTargets } from "./expensive-input-cases.js";

/** Input that is expensive to refuse; expensive-input.alone.test.ts measures what it costs. */

const { given, targets } = useExpensiveTargets();
const { service } = given;

describe.each(targets)("%s", (_name, { limitBytes, send }) => {
  it.each(Object.entries(shapes))("of %s is refused", async (shape, make) => {
    const reply = await send(make(limitBytes - kibibyte));
    expect(reply.status).not.toBe(413);
    expect(reply.status).toBeLessThan(500);
    expect(reply.status >= 400 || reply.json.error !== undefined || reply.json.result.isError).toBe(true);
    expect(reply.text.length).toBeLessThan(3_000);
    // Refused while the text is read, before anything is parsed.
    if (shape.endsWith("repeated keys")) expect(reply.text).toMatch(/expected each key once/);
    else if (/^(many|deep)/.test(shape)) expect(reply.text).toMatch(/expected at most \d+ (fields and list|levels of)/);
  });

  it("larger than the limit is a 413", async () => {
    expect((await send(`"${"x".repeat(limitBytes)}"`)).status).toBe(413);
  });
});

it("counts the entries of lists and records before it checks them", async () => {
  const call = async (args: string) =>
    (await post(service, given.key, toolCall(args))).json.result.structuredContent.error;
  const links = (count: number) => `{"social_links":{${Array.from({ length: count }, (_, n) => `"${n}":1`).join()}}}`;
  expect((await call(links(21))).message).toBe("social_links: expected at most 20 links");
  expect((await call(links(20))).message).toMatch(/^social_links\.0: expected an? .*; and more$/);
  const platforms = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [n, 1]));
  const patched = await service.call(`/api/svc/posters/${given.poster}`, {
    key: given.key,
    body: { posted_urls: platforms },
  });
  expect(patched.json.error).toBe("posted_urls: expected at most 500 platforms");
});

it("reports at most ten problems", async () => {
  const unknown = `{${Array.from({ length: 1_500 }, (_, n) => `"unknown${n}":1`).join()}}`;
  const { error } = (await post(service, given.key, toolCall(unknown))).json.result.structuredContent;
  const problems = Array.from({ length: 10 }, (_, n) => `unknown${n}: unknown field`).join("; ");
  expect(error.message).toMatch(`${problems}; and more. Known fields: name, description, `);
  expect(error.issues).toHaveLength(10);
});

it("a request line of the longest length is answered", async () => {
  const query = Array.from({ length: 2_500 }, (_, n) => `a${n.toString(36)}=`).join("&");
  expect((await service.call(`/api/svc/posters?${query}`, { key: given.key })).status).toBe(200);
  expect((await service.call(`/api/ticketing/event/get?${query}`, { key: given.key })).status).toBe(400);
});
