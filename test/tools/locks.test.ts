import { randomUUID } from "node:crypto";
import sql, { type Sql } from "sql-template-tag";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Database, Queryable } from "../../src/infra/database/db.js";
import { createInvitation } from "../../src/modules/users/invitation-store.js";
import { createPlatformFixture, type PlatformFixture, platformExamples } from "../console/platform-examples.js";
import { type ConsoleService, startConsole } from "../console/support.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";

/** The statements that lock, on any database: what they lock, and for how long others wait. */
it("a change locks the thing that it is about first, whoever makes it", async () => {
  const locks: string[] = [];
  const noting = (db: Database): Database => ({
    ...db,
    transaction: (work, options) =>
      db.transaction((tx) => {
        const query: Queryable["query"] = (statement, name) => {
          const [, what] = /select from (\w+)\s+where id = .* for no key update/s.exec(statement.text) ?? [];
          if (what !== undefined && statement.values[0] !== null) locks.push(`${what} ${statement.values[0]}`);
          const [, key] = /advisory_xact_lock\(hashtextextended\((?:'(.*?)'|\$1)/.exec(statement.text) ?? ["", null];
          if (key !== null) locks.push(`key ${key ?? statement.values[0]}`);
          if (/from members .* for update/s.test(statement.text)) locks.push("members");
          if (/ for no key update of p$/.test(statement.text)) locks.push("poster");
          return tx.query(statement, name);
        };
        return work({ ...tx, query });
      }, options),
  });
  const service = await startConsole({ wrapDatabase: noting });
  onTestFinished(service.close);
  const { organizationId, owner } = await service.newOrganization();
  const make = makerOn(service.db);
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  const fixture = await createPlatformFixture(service.db);
  const administrator = await service.signIn(fixture.administratorId);
  const locksOf = async (path: string, cookie: string, input: object) => {
    const preview = await service.post(path, cookie, input);
    locks.length = 0;
    const reply = await service.post(path, cookie, { ...preview.json.commit_with, reason: "for the test" });
    expect(reply.status, reply.text).toBe(200);
    // The first is that of the idempotency key.
    return locks.slice(1).sort();
  };
  const ofOrganization = `organizations/${organizationId}/tools`;
  const details = { event_id: eventId, venue: "Hall 2" };
  expect(await locksOf(`${ofOrganization}/update_event_details`, owner, details)).toEqual([`events ${eventId}`]);
  const profile = { description: "New" };
  expect(await locksOf(`${ofOrganization}/update_organization_profile`, owner, profile)).toEqual([
    `organizations ${organizationId}`,
  ]);
  const member = { user_id: await make.member(organizationId, "owner") };
  expect(await locksOf(`${ofOrganization}/remove_member`, owner, member)).toEqual([
    "members",
    `organizations ${organizationId}`,
  ]);
  const proposal = { event_id: await make.proposal(await make.conference(), organizationId) };
  const withdrawal = await service.post(`${ofOrganization}/cancel_event`, owner, proposal);
  const cancelled = await service.post(`${ofOrganization}/cancel_event`, owner, {
    ...withdrawal.json.commit_with,
    reason: "for the test",
  });
  const back = { record_id: cancelled.json.record_id };
  expect(await locksOf(`${ofOrganization}/revert_change`, owner, back)).toContain(
    `key event proposals of ${organizationId}`,
  );
  const host = { event_id: fixture.eventId, organization_id: fixture.otherOrganizationId };
  expect(await locksOf("admin/tools/set_event_host", administrator, host)).toEqual([
    `events ${fixture.eventId}`,
    "key platform administration",
    `organizations ${fixture.otherOrganizationId}`,
  ]);
  locks.length = 0;
  const body = { posted_urls: { x: "https://social.example/1" } };
  const path = `/api/svc/posters/${await make.poster(eventId)}`;
  const reply = await service.call(path, { method: "PATCH", key: await make.superAdminKey(), body });
  expect([reply.status, ...locks]).toEqual([200, "poster"]);
});

// The embedded database has one session: transactions cannot overlap there.
withPostgres("changes of one thing by different people", () => {
  let service: ConsoleService;
  let fixture: PlatformFixture;
  let administrator: string;
  const make = () => makerOn(service.db);
  beforeAll(async () => {
    service = await startConsole();
    fixture = await createPlatformFixture(service.db);
    administrator = await service.signIn(fixture.administratorId);
  });
  afterAll(() => service.close());

  /** Commits while another transaction holds a lock and then does `work`; resolves when both are done. */
  async function commitBeside(
    path: string,
    cookie: string,
    input: object,
    lock: Sql,
    work = async (_tx: Queryable) => {},
  ) {
    const preview = await service.post(path, cookie, input);
    expect(preview.status, preview.text).toBe(200);
    const commit = { ...preview.json.commit_with, reason: "for the test" };
    let committing = Promise.resolve(preview);
    await service.db.transaction(async (tx) => {
      await tx.query(lock);
      committing = service.post(path, cookie, commit);
      await expect.poll(waiting).toBe(true);
      await work(tx);
    });
    return committing;
  }

  async function waiting(): Promise<boolean> {
    const rows = await service.db.query(sql`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`);
    return rows.length > 0;
  }

  // Neither of these tools writes the row that is locked.
  it.each([
    ["set_event_host", () => sql`select from events where id = ${fixture.eventId} for no key update`],
    ["invite_person", () => sql`select from organizations where id = ${fixture.organizationId} for no key update`],
  ])("a platform administrator's %s waits for a change by the hosts or the organization", async (tool, lock) => {
    const input = platformExamples[tool]?.(fixture) ?? {};
    const reply = await commitBeside(`admin/tools/${tool}`, administrator, input, lock());
    expect(reply.status, reply.text).toBe(200);
  });

  it("an owner is not removed while the other one goes", async () => {
    const { organizationId, ownerId, owner } = await service.newOrganization();
    const other = await makerOn(service.db).member(organizationId, "owner");
    const reply = await commitBeside(
      `organizations/${organizationId}/tools/remove_member`,
      owner,
      { user_id: other },
      sql`select from members where organization_id = ${organizationId} and role = 'owner' for update`,
      (tx) => tx.query(sql`delete from members where user_id = ${ownerId}`).then(() => {}),
    );
    expect(reply.json).toMatchObject({ code: "conflict" });
    const owners = await service.db.query(sql`select user_id from members where organization_id = ${organizationId}`);
    expect(owners).toEqual([{ user_id: other }]);
  });

  it.each([
    ["invite_member", async () => ({ email: `${randomUUID()}@example.com`, role: "member" })],
    [
      "set_event_primary_host",
      async (organizationId: string) => ({
        event_id: await make().event(await make().conference(), { hosts: [organizationId] }),
        organization_id: await make().organization(),
      }),
    ],
  ])("%s is refused to a person whose membership ends meanwhile", async (tool, input) => {
    const { organizationId, ownerId, owner } = await service.newOrganization();
    const path = `organizations/${organizationId}/tools/${tool}`;
    const end = sql`delete from members where user_id = ${ownerId}`;
    const reply = await commitBeside(path, owner, await input(organizationId), end);
    expect(reply.json, reply.text).toMatchObject({ code: "forbidden" });
  });

  it("an administrator's invitation is refused if the administration ends meanwhile", async () => {
    const input = { email: `${randomUUID()}@example.com`, organization_id: fixture.organizationId, role: "owner" };
    const end = sql`update users set platform_admin = false where id = ${fixture.administratorId}`;
    const reply = await commitBeside("admin/tools/invite_person", administrator, input, end);
    expect(reply.json, reply.text).toMatchObject({ code: "forbidden" });
    await service.db.query(sql`update users set platform_admin = true where id = ${fixture.administratorId}`);
  });

  it("what ends a person's right waits for what the person makes with it, and ends that too", async () => {
    const { organizationId, ownerId } = await service.newOrganization();
    await make().member(organizationId, "owner");
    const wanted = { organizationId, role: "owner", platformAdmin: false } as const;
    const inviter = { userId: ownerId, name: "Somebody" };
    const email = `${randomUUID()}@example.com`;
    let removing: Promise<unknown> = Promise.resolve();
    await service.db.transaction(async (tx) => {
      await createInvitation(tx, "", { email, inviter, ...wanted });
      removing = service.db.query(sql`delete from members where user_id = ${ownerId}`);
      await expect.poll(waiting).toBe(true);
    });
    await removing;
    expect(
      await service.db.query(sql`select from invitations where email = ${email} and withdrawn_at is not null`),
    ).toHaveLength(1);
  });
});
