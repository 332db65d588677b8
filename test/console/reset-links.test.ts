import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

// Links for a new password that owners and administrators make, and see: whoever has one can sign in as the person.

const { service, make } = useService(startConsole);

const oldPassword = "an old phrase of theirs";
const newPassword = "a new and longer phrase";

async function memberOf(organizationId: string, role: "member" | "admin" | "owner" = "member"): Promise<string> {
  const id = await make.member(organizationId, role);
  await savePasswordHash(service.db, id, await hashPassword(oldPassword));
  await service.db.query(sql`update users set email_verified_at = now() where id = ${id}`);
  return id;
}

async function newAdministrator() {
  const id = await make.platformAdministrator();
  return { id, cookie: await service.signIn(id) };
}

const preview = (organizationId: string, cookie: string, user_id: string) =>
  service.post(`organizations/${organizationId}/tools/create_reset_link`, cookie, { user_id });

async function linkFrom(organizationId: string, cookie: string, user_id: string): Promise<string> {
  const { status, json, text } = await service.change(organizationId, cookie, "create_reset_link", { user_id });
  expect(status, text).toBe(200);
  return json.link.split("/reset/")[1];
}

async function linkFromAdministrator(cookie: string, person_id: string): Promise<string> {
  const { status, json, text } = await service.administer(cookie, "create_reset_link", { person_id });
  expect(status, text).toBe(200);
  return json.link.split("/reset/")[1];
}

const shown = async (token: string) => (await service.get(`password/resets/${token}`, "")).status;
const use = async (token: string, password = newPassword) =>
  (await service.post(`password/resets/${token}`, "", { password })).status;

const accountOf = async (id: string) => {
  const [row] = await service.db.query<{ email: string; verified: boolean }>(
    sql`select email, email_verified_at is not null as verified from users where id = ${id}`,
  );
  return row ?? { email: "", verified: false };
};

async function signsIn(id: string, password: string): Promise<boolean> {
  const { email } = await accountOf(id);
  return (await service.post("sign-in", "", { email, password })).status === 200;
}

describe("a link by an owner", () => {
  it("is shown once, recorded without it, and sets the password of a member once", async () => {
    const { organizationId, ownerId, owner } = await service.newOrganization();
    const member = await memberOf(organizationId);
    const { commit_with } = (await preview(organizationId, owner, member)).json;
    const path = `organizations/${organizationId}/tools/create_reset_link`;
    const commit = { ...commit_with, reason: "Forgotten" };
    const first = await service.post(path, owner, commit);
    const token = first.json.link.split("/reset/")[1];
    expect((await service.post(path, owner, commit)).json).not.toHaveProperty("link");
    const records = await service.db.query<{ user_id: string; text: string }>(
      sql`select user_id, to_jsonb(r)::text as text from mutation_records r where id = ${first.json.record_id}`,
    );
    expect(records).toMatchObject([{ user_id: ownerId }]);
    expect(records[0]?.text).toContain(member);
    expect(records[0]?.text).not.toContain(token);
    const { email } = await accountOf(member);
    expect((await service.get(`password/resets/${token}`, "")).json).toEqual({ email });
    expect([await use(token), await use(token, `${newPassword} 2`)]).toEqual([204, 404]);
    expect(await signsIn(member, newPassword)).toBe(true);
  });

  it("leaves the address unverified: the owner has seen the link", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const member = await memberOf(organizationId);
    expect((await accountOf(member)).verified).toBe(true);
    await use(await linkFrom(organizationId, owner, member));
    expect((await accountOf(member)).verified).toBe(false);
  });

  it("leaves one of two that are made at the same time", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const member = await memberOf(organizationId);
    const { commit_with } = (await preview(organizationId, owner, member)).json;
    const path = `organizations/${organizationId}/tools/create_reset_link`;
    const made = await Promise.all(
      [randomUUID(), randomUUID()].map((idempotency_key) =>
        service.post(path, owner, { ...commit_with, reason: "Forgotten", idempotency_key }),
      ),
    );
    const tokens = made.flatMap(({ json }) => (json.link === undefined ? [] : [json.link.split("/reset/")[1]]));
    const works = await Promise.all(tokens.map(shown));
    expect(works.filter((status) => status === 200)).toHaveLength(1);
  });
});

describe("a link that would give more than the organization is refused", () => {
  type Case = (organizationId: string, member: string) => Promise<unknown>;
  const cases: [string, Case][] = [
    [
      "a member of another organization too",
      async (_, member) =>
        service.db.query(
          sql`insert into members (organization_id, user_id, role) values (${await make.organization()}, ${member}, 'member')`,
        ),
    ],
    [
      "a platform administrator",
      (_, member) => service.db.query(sql`update users set platform_admin = true where id = ${member}`),
    ],
    [
      "somebody who signs in with OpenID Connect",
      (_, member) =>
        service.db.query(
          sql`insert into accounts (user_id, provider_id, account_id) values (${member}, 'https://issuer.test', ${member})`,
        ),
    ],
  ];

  it.each(cases)("for %s", async (_, change) => {
    const { organizationId, owner } = await service.newOrganization();
    const member = await memberOf(organizationId);
    await change(organizationId, member);
    expect(await preview(organizationId, owner, member)).toMatchObject({
      status: 403,
      json: { error: expect.stringContaining("only an administrator of the platform") },
    });
    const { cookie } = await newAdministrator();
    expect(await use(await linkFromAdministrator(cookie, member))).toBe(204);
  });

  it.each(cases)("also after it was made: for %s", async (_, change) => {
    const { organizationId, owner } = await service.newOrganization();
    const member = await memberOf(organizationId);
    const token = await linkFrom(organizationId, owner, member);
    await change(organizationId, member);
    expect([await shown(token), await use(token)]).toEqual([404, 404]);
    expect(await signsIn(member, oldPassword)).toBe(true);
  });

  it("and ends with the right of whoever made it", async () => {
    const { organizationId, ownerId, owner } = await service.newOrganization();
    await memberOf(organizationId, "owner");
    const member = await memberOf(organizationId);
    const token = await linkFrom(organizationId, owner, member);
    await service.db.query(sql`update members set role = 'admin' where user_id = ${ownerId}`);
    expect([await shown(token), await use(token)]).toEqual([404, 404]);
    const administrator = await newAdministrator();
    const other = await linkFromAdministrator(administrator.cookie, member);
    await service.db.query(sql`update users set platform_admin = false where id = ${administrator.id}`);
    expect([await shown(other), await use(other)]).toEqual([404, 404]);
  });
});

describe("nobody else makes one", () => {
  it("as an owner of another organization, whichever of the two is named", async () => {
    const [mine, theirs] = [await service.newOrganization(), await service.newOrganization()];
    const member = await memberOf(theirs.organizationId);
    expect((await preview(theirs.organizationId, mine.owner, member)).status).toBe(404);
    expect((await preview(mine.organizationId, mine.owner, member)).status).toBe(404);
    expect((await preview(mine.organizationId, mine.owner, theirs.ownerId)).status).toBe(404);
  });

  it("for oneself, as an owner or administrator", async () => {
    const { organizationId, ownerId, owner } = await service.newOrganization();
    expect((await preview(organizationId, owner, ownerId)).status).toBe(403);
    const { id, cookie } = await newAdministrator();
    expect((await service.post("admin/tools/create_reset_link", cookie, { person_id: id })).status).toBe(403);
  });
});
