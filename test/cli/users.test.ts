import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { removeUser } from "../../src/modules/users/remove-user.js";
import { testOperator } from "../support/operator.js";
import { useDatabase } from "../support/setup.js";
import { svc } from "../support/svc.js";
import { workerDatabase } from "../support/worker-database.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

const { db, make } = useDatabase(2);

const create = (...args: string[]) => runCommand(["users", "create", ...args], workerDatabase.env);

/** An address that no other test uses. */
const newEmail = () => `${randomUUID()}@example.com`;

it("creates a user", async () => {
  const email = newEmail();
  const result = await create("--email", email, "--name", "Inês Duarte", "--json");
  expect(result).toMatchObject({ code: 0, stderr: "" });
  const user = JSON.parse(result.stdout);
  expect(user).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    email,
    name: "Inês Duarte",
    platform_admin: false,
  });
  expect(await db.query(sql`select id, email, name, platform_admin from users where id = ${user.id}`)).toEqual([user]);
});

it("creates an administrator and prints one line", async () => {
  const email = newEmail();
  const result = await create("--email", email, "--name", "Root", "--platform-admin");
  expect(result.stdout).toMatch(new RegExp(`^Added Root <${email}>, platform administrator, id [0-9a-f-]{36}\\.\n$`));
  expect(await db.query(sql`select platform_admin from users where email = ${email}`)).toEqual([
    { platform_admin: true },
  ]);
});

it("refuses an existing e-mail address, case-insensitively", async () => {
  const email = newEmail();
  expect(await create("--email", email, "--name", "First")).toMatchObject({ code: 0 });
  expectRefusal(await create("--email", email.toUpperCase(), "--name", "Second"), 1, /already exists/);
  expect(await db.query(sql`select name from users where lower(email) = ${email}`)).toEqual([{ name: "First" }]);
});

it("succeeds in one of several processes that use the same address", async () => {
  const email = newEmail();
  const results = await Promise.all(
    ["a", "b", "c"].map((name) => svc(["users", "create", "--email", email, "--name", name], workerDatabase.env)),
  );
  expect(results.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
});

it.each([
  ["no e-mail", ["--name", "x"], /required option '--email <email>' not specified/],
  ["no name", ["--email", "a@example.com"], /required option '--name <name>' not specified/],
  ["an invalid e-mail address", ["--email", "nobody", "--name", "x"], /Expected an e-mail address/],
  [
    "a long e-mail address",
    ["--email", `a@${"b.".repeat(150)}example.com`, "--name", "x"],
    /Expected at most 254 characters/,
  ],
  ["a blank name", ["--email", "a@example.com", "--name", "  "], /not blank/],
  ["a name of two lines", ["--email", "a@example.com", "--name", "x\ny"], /one line/],
] as const)("refuses %s", async (_, args, text) => {
  expectRefusal(await parse(["users", "create", ...args]), 2, text);
});

describe("svc users list and remove", () => {
  const users = (...args: string[]) => runCommand(["users", ...args], workerDatabase.env);

  async function createMember(role: "owner" | "member") {
    const organization = await make.organization();
    const id = await make.member(organization, role);
    await make.organizationKey(organization, { userId: id });
    const [row] = await db.query<{ email: string; slug: string }>(sql`
      select u.email, o.slug from users u, organizations o where u.id = ${id} and o.id = ${organization}`);
    if (row === undefined) throw new Error("no such user");
    return { id, organization, ...row };
  }

  it("lists people with their organizations and working keys", async () => {
    const { id, email, slug } = await createMember("member");
    const listed = JSON.parse((await users("list", "--json")).stdout);
    const person = { id, email, name: "Test Person", platform_admin: false };
    expect(listed).toContainEqual({ ...person, organizations: [{ slug, role: "member" }], keys: 1, unverified: false });
    const long = await make.member(await make.organization(), "admin");
    await db.query(sql`update users set name = ${"x".repeat(200)} where id = ${long}`);
    const [head = "", ...rows] = (await users("list")).stdout.trimEnd().split("\n");
    // Other people in this database decide how wide the columns are, and so what is left of their cells.
    expect(head).toMatch(/^EMAIL +NAM/);
    for (const row of [head, ...rows]) expect(stringWidth(row), row).toBeLessThanOrEqual(100);
    const shown = rows.find((row) => row.startsWith(email.slice(0, 20)));
    expect(shown).toMatch(new RegExp(` Tes.* ${slug.slice(0, 6)}.* 1\\b`));
  });

  it("removes a person with memberships and keys, with a record", async () => {
    const { id, email, slug } = await createMember("member");
    expect((await users("remove", email.toUpperCase())).stdout).toBe(
      `Removed Test Person <${email}>, out of ${slug}, with 1 key.\n`,
    );
    expect(await db.query(sql`select from users where id = ${id}`)).toEqual([]);
    expect(await db.query(sql`select from api_keys where created_by = ${id}`)).toEqual([]);
    const [record] = await db.query(sql`
      select before->>'email' as email, operator from mutation_records
      where tool = 'svc:users remove' and request->>'user_id' = ${id}`);
    expect(record).toEqual({ email, operator: expect.any(String) });
    expectRefusal(await users("remove", email), 1, /no user has the e-mail/);
  });

  it("refuses the only owner of an organization, and one of two owners at the same time", async () => {
    const { email, slug, organization } = await createMember("owner");
    const refusal = await users("remove", email);
    expectRefusal(refusal, 1, `${email} is the only owner of ${slug}: add another owner first.`);
    expect(refusal.stderr).toContain(`users invite EMAIL --organization ${slug} --role owner`);
    const [other] = await db.query<{ email: string }>(
      sql`select email from users where id = ${await make.member(organization, "owner")}`,
    );
    const both = await Promise.allSettled(
      [email, other?.email ?? ""].map((address) => removeUser(db, testOperator, address)),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});
