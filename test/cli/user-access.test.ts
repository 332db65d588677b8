import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { getReset } from "../../src/modules/users/reset-links.js";
import { getInvitation } from "../../src/sign-in/accept-invitation.js";
import { verifyPassword } from "../../src/sign-in/password-hashes.js";
import { findPasswordHash } from "../../src/sign-in/passwords.js";
import { useDatabase } from "../support/setup.js";
import { svc } from "../support/svc.js";
import { workerDatabase } from "../support/worker-database.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

const { db, make } = useDatabase(2);

const users = (...args: string[]) => runCommand(["users", ...args], workerDatabase.env);
const newEmail = () => `${randomUUID()}@example.com`;
const tokenOf = (link: string) => link.split("/").at(-1) ?? "";

async function addedUser(): Promise<{ id: string; email: string }> {
  const id = await make.user();
  const [row] = await db.query<{ email: string }>(sql`select email from users where id = ${id}`);
  return { id, email: row?.email ?? "" };
}

async function recordsOf(tool: string, text: string): Promise<object[]> {
  return db.query(sql`
    select via, operator, request, after, result from mutation_records r
    where tool = ${tool} and r::text like ${`%${text}%`}`);
}

it("invites to an organization and records it without the link", async () => {
  const email = newEmail();
  const organization = await make.organization("Harbour Works");
  const result = await users("invite", email, "--organization", organization, "--role", "owner", "--json");
  expect(result).toMatchObject({ code: 0, stderr: "" });
  const invitation = JSON.parse(result.stdout);
  expect(invitation).toMatchObject({ email, role: "owner", organization_id: organization, mailed: false });
  const token = tokenOf(invitation.link);
  expect(await getInvitation(db, token, "")).toMatchObject({ email, organization: { name: "Harbour Works" } });
  const records = await recordsOf("svc:users invite", invitation.id);
  expect(records).toMatchObject([{ via: "command_line", after: { email, role: "owner" } }]);
  expect(JSON.stringify(records)).not.toContain(token);
});

it("invites a platform administrator and prints the link", async () => {
  const { code, stdout } = await users("invite", newEmail(), "--platform-admin");
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/\/invite\/[0-9A-Za-z]{43}\n/) });
});

it.each([
  ["nothing to join", [], /expected --organization and --role, or --platform-admin/],
  ["a role without an organization", ["--role", "owner"], /--organization and --role belong together/],
  ["an unknown role", ["--organization", "x", "--role", "king"], /Allowed choices are member, admin, owner/],
])("refuses to invite to %s", async (_, args, problem) => {
  expectRefusal(await users("invite", newEmail(), ...args), 2, problem);
});

it("refuses an unknown organization", async () => {
  expectRefusal(await users("invite", newEmail(), "--organization", "nowhere", "--role", "owner"), 1, /nowhere/);
});

it("sets a password from stdin, ends sessions, and records neither", async () => {
  const { id, email } = await addedUser();
  await db.query(sql`
    insert into sessions (user_id, token_hash, expires_at)
    values (${id}, sha256(${id}::bytea), now() + interval '1 day')`);
  const password = `phrase of ${randomUUID()}`;
  const args = ["users", "set-password", email, "--password-stdin", "--json"];
  const result = await svc(args, workerDatabase.env, `${password}\n`);
  expect(result).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(result.stdout)).toMatchObject({ user_id: id, email, sessions_ended: 1 });
  const hash = (await findPasswordHash(db, id)) ?? "";
  expect(await verifyPassword(password, hash)).toBe(true);
  const records = await recordsOf("svc:users set-password", id);
  expect(records).toMatchObject([{ via: "command_line", request: { user_id: id }, result: { sessions_ended: 1 } }]);
  expect(JSON.stringify(records)).not.toContain(password);
});

it.each([
  ["an empty one", "", /stdin: expected one line with the password/],
  ["a short one", "short\n", /password: expected at least 10 characters/],
])("refuses %s and leaves the person without a password", async (_, input, problem) => {
  const { id, email } = await addedUser();
  expectRefusal(await svc(["users", "set-password", email, "--password-stdin"], workerDatabase.env, input), 1, problem);
  expect(await findPasswordHash(db, id)).toBeUndefined();
});

it("does not wait for a password where there is no terminal", async () => {
  const { email } = await addedUser();
  expectRefusal(await svc(["users", "set-password", email], workerDatabase.env), 1, /use --password-stdin/);
});

it("prints a reset link and records it without the link", async () => {
  const { id, email } = await addedUser();
  const result = await users("reset-link", email, "--json");
  const { link } = JSON.parse(result.stdout);
  expect(await getReset(db, tokenOf(link))).toEqual({ id, email, createdBy: null });
  const records = await recordsOf("svc:users reset-link", id);
  expect(records).toMatchObject([{ via: "command_line", request: { user_id: id } }]);
  expect(JSON.stringify(records)).not.toContain(tokenOf(link));
  expectRefusal(await users("reset-link", newEmail()), 1, /no user has the e-mail/);
});
