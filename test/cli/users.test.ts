import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { svc } from "../support/svc.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { type Served, serveFreshDatabase } from "./served.js";

let served: Served;
beforeAll(async () => {
  served = await serveFreshDatabase();
});
afterAll(() => served.remove());

const create = (...args: string[]) => svc(["users", "create", ...args], served.env);

it("adds a person", async () => {
  const result = await create("--email", "ines@example.com", "--name", "Inês Duarte", "--json");
  expect(result).toMatchObject({ code: 0, stderr: "" });
  const user = JSON.parse(result.stdout);
  expect(user).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email: "ines@example.com",
    name: "Inês Duarte",
    platform_admin: false,
  });
  expect(await served.db.query(sql`select id, email, name, platform_admin from users where id = ${user.id}`)).toEqual([
    user,
  ]);
});

it("adds an administrator, and says so to people in one line", async () => {
  const result = await create("--email", "root@example.com", "--name", "Root", "--platform-admin");
  expect(result.stdout).toMatch(/^Added Root <root@example\.com>, platform administrator, id [0-9a-f-]{36}\.\n$/);
  expect(await served.db.query(sql`select platform_admin from users where email = 'root@example.com'`)).toEqual([
    { platform_admin: true },
  ]);
});

it("refuses an e-mail address that is taken, in any case", async () => {
  expect(await create("--email", "twice@example.com", "--name", "First")).toMatchObject({ code: 0 });
  expectRefusal(await create("--email", "Twice@Example.com", "--name", "Second"), 1, /exists already/);
  expect(await served.db.query(sql`select name from users where lower(email) = 'twice@example.com'`)).toEqual([
    { name: "First" },
  ]);
});

it("one of several at once gets the address", async () => {
  const results = await Promise.all(
    ["a", "b", "c"].map((name) => create("--email", "race@example.com", "--name", name)),
  );
  expect(results.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
});

it.each([
  ["no e-mail", ["--name", "x"], /--email/],
  ["no name", ["--email", "a@example.com"], /--name/],
  ["no e-mail address", ["--email", "nobody", "--name", "x"], /expects an e-mail address/],
  [
    "an endless e-mail address",
    ["--email", `a@${"b.".repeat(150)}example.com`, "--name", "x"],
    /254 characters|e-mail/,
  ],
  ["a blank name", ["--email", "a@example.com", "--name", "  "], /not blank/],
  ["a name of two lines", ["--email", "a@example.com", "--name", "x\ny"], /one line/],
] as const)("refuses %s", async (_, args, text) => {
  expectRefusal(await parse(["users", "create", ...args]), 2, text);
});
