import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { useService } from "../support/setup.js";
import { legacy, modern, modernHeaders, post } from "./messages.js";

// Arguments of prompts, completed as people type them.

const { service, db, make } = useService();
let key: string;

beforeAll(async () => {
  const [organization, other] = [await make.organization(), await make.organization()];
  const conference = await make.conference();
  const names = ["Harbour Gala", "Harbour Breakfast", "Opening Night", "Opening Night"];
  const add = async (name: string, hosts: string[], status = "published") => {
    const id = await make.event(conference, { hosts, status });
    await db.query(sql`update events set name = ${name} where id = ${id}`);
  };
  for (const name of names) await add(name, [organization]);
  await add("Harbour of others", [other]);
  await add("Harbour draft", [organization], "draft");
  key = await make.organizationKey(organization);
});

const complete = async (argument: unknown, ref: unknown = { type: "ref/prompt", name: "plan_poster_campaign" }) =>
  (await post(service, key, legacy("completion/complete", { ref, argument }))).json;

const values = async (name: string, value: string): Promise<string[]> =>
  (await complete({ name, value })).result.completion.values;

describe("an event", () => {
  it("is completed by words of the names of hosted events, each once", async () => {
    expect((await values("event", "harb")).sort()).toEqual(["Harbour Breakfast", "Harbour Gala"]);
    expect(await values("event", "gala harbour")).toEqual(["Harbour Gala"]);
    expect((await values("event", "")).sort()).toEqual(["Harbour Breakfast", "Harbour Gala", "Opening Night"]);
    expect(await values("event", "nothing like it")).toEqual([]);
    expect(await values("event", "x".repeat(10_000))).toEqual([]);
  });
});

it("platforms are completed at the end of their list", async () => {
  expect(await values("platforms", "in")).toEqual(["Instagram"]);
  expect(await values("platforms", "instagram, L")).toEqual(["instagram, LinkedIn"]);
  expect((await values("platforms", "")).length).toBeGreaterThan(5);
});

it("an argument that can be anything has no values", async () => {
  expect((await complete({ name: "wishes", value: "warm" })).result).toEqual({
    completion: { values: [], hasMore: false },
  });
});

it("works in the modern revision", async () => {
  const params = { ref: { type: "ref/prompt", name: "door_briefing" }, argument: { name: "event", value: "gala" } };
  const { json } = await post(
    service,
    key,
    modern("completion/complete", params),
    modernHeaders("completion/complete"),
  );
  expect(json.result).toMatchObject({
    resultType: "complete",
    completion: { values: ["Harbour Gala"], hasMore: false },
  });
});

it.each([
  ["a resource", { name: "event", value: "" }, { type: "ref/resource", uri: "ui://x" }, /^ref: expected/],
  ["no reference", { name: "event", value: "" }, null, /^ref: expected/],
  [
    "an unknown prompt",
    { name: "event", value: "" },
    { type: "ref/prompt", name: "nothing" },
    /^Unknown prompt: nothing$/,
  ],
  ["no argument", null, undefined, /^argument: expected/],
  ["a value that is no text", { name: "event", value: 1 }, undefined, /^argument: expected/],
  ["an unknown argument", { name: "constructor", value: "" }, undefined, /expected one of event, platforms, wishes$/],
])("%s is refused", async (_name, argument, ref, message) => {
  const { error } = await complete(argument, ref);
  expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(message) });
});

it("a prompt that the key does not have is unknown", async () => {
  const organization = await make.organization();
  await make.event(await make.conference(), { hosts: [organization] });
  const without = await make.organizationKey(organization, { scopes: ["registrations:read"] });
  const params = { ref: { type: "ref/prompt", name: "door_briefing" }, argument: { name: "event", value: "" } };
  const { json } = await post(service, without, legacy("completion/complete", params));
  expect(json.error.message).toBe("Unknown prompt: door_briefing");
});
