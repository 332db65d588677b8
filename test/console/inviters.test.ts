import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { removeUser } from "../../src/modules/users/remove-user.js";
import { acceptInvitation, getInvitation } from "../../src/sign-in/accept-invitation.js";
import { runCommand } from "../cli/run-command.js";
import { emailOf as readEmail } from "../sign-in/sign-in-fixture.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { testOperator } from "../support/operator.js";
import { useService } from "../support/setup.js";
import { type ConsoleService, startConsole } from "./support.js";

// An invitation, and the offer of an event, end with the right of the person who made them.

const fresh = useFreshDatabase();
const { service, make } = useService(() => startConsole({}, {}, { connection: fresh.connection }));

type Organization = { organizationId: string; ownerId: string; owner: string };
/** Ends the right of a person, who is an owner of the organization unless they administer the platform. */
type Ending = [name: string, end: (organization: Organization, personId: string) => Promise<unknown>];

const change: ConsoleService["change"] = (...given) => service.change(...given);

const asAdministrator = async (tool: string, args: object) => {
  const path = `admin/tools/${tool}`;
  const cookie = await service.signIn(await make.platformAdministrator());
  const { json } = await service.post(path, cookie, args);
  const reply = await service.post(path, cookie, { ...json.commit_with, reason: "for the test" });
  expect(reply.status, JSON.stringify(reply.json)).toBe(200);
  return { preview: json, ...reply };
};

const tokenIn = (link: string) => link.split("/").at(-1) ?? "";
const emailOf = (userId: string) => readEmail(service.db, userId);

/** What happens when the link is opened, and when it is used all the same. */
async function outcomesOf(link: string): Promise<string[]> {
  const given = { name: "Comeback", password: "a long enough phrase" };
  const attempts = [
    getInvitation(service.db, tokenIn(link), ""),
    acceptInvitation(service.db, tokenIn(link), given, undefined),
  ];
  return (await Promise.allSettled(attempts)).map((outcome) =>
    outcome.status === "fulfilled" ? "open" : String(outcome.reason.code),
  );
}

const byOwners: Ending[] = [
  ["is removed", ({ organizationId, owner }, user_id) => change(organizationId, owner, "remove_member", { user_id })],
  [
    "leaves",
    async ({ organizationId }, userId) => change(organizationId, await service.signIn(userId), "leave_organization"),
  ],
  [
    "becomes an admin",
    ({ organizationId, owner }, user_id) =>
      change(organizationId, owner, "set_member_role", { user_id, role: "admin" }),
  ],
  ["is removed from the platform", (_, person_id) => asAdministrator("remove_person", { person_id })],
  ["is removed by an operator", async (_, id) => removeUser(service.db, testOperator, await emailOf(id))],
  [
    "is removed by a change of the database",
    (_, id) => service.db.query(sql`delete from members where user_id = ${id}`),
  ],
];

describe("an invitation by an owner", () => {
  it.each(byOwners)("ends when the owner %s, and does not come back with them", async (_name, end) => {
    const organization = await service.newOrganization();
    const { organizationId } = organization;
    const inviterId = await make.member(organizationId, "owner");
    const inviter = await service.signIn(inviterId);
    const invite = (role: string) =>
      change(organizationId, inviter, "invite_member", { email: `${randomUUID()}@example.com`, role });
    const links = [await invite("owner"), await invite("member")].map(({ json }) => json.link);
    await end(organization, inviterId);
    for (const link of links) expect(await outcomesOf(link)).toEqual(["not_found", "not_found"]);
    expect((await service.get(`organizations/${organizationId}/members`, organization.owner)).json.invitations).toEqual(
      [],
    );
    await service.db.query(sql`
      insert into members (organization_id, user_id, role) select ${organizationId}, id, 'owner' from users where id = ${inviterId}
      on conflict (organization_id, user_id) do update set role = 'owner'`);
    for (const link of links) expect(await outcomesOf(link)).toEqual(["not_found", "not_found"]);
  });

  it("stays while others leave, and works for those who stay owners", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const args = { email: `${randomUUID()}@example.com`, role: "owner" };
    const { json } = await change(organizationId, owner, "invite_member", args);
    const otherId = await make.member(organizationId, "owner");
    await change(organizationId, owner, "remove_member", { user_id: otherId });
    expect(await outcomesOf(json.link)).toEqual(["open", "open"]);
  });

  it("stays if the owner administers the platform, who may invite everywhere", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const inviterId = await make.platformAdministrator();
    await service.db.query(
      sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${inviterId}, 'owner')`,
    );
    const args = { email: `${randomUUID()}@example.com`, role: "owner" };
    const { json } = await change(organizationId, await service.signIn(inviterId), "invite_member", args);
    const path = `organizations/${organizationId}/tools/remove_member`;
    expect((await service.post(path, owner, { user_id: inviterId })).json.warnings).toEqual([]);
    await change(organizationId, owner, "remove_member", { user_id: inviterId });
    expect(await outcomesOf(json.link)).toEqual(["open", "open"]);
  });

  it("that the database still holds is refused without the right", async () => {
    const { organizationId, ownerId, owner } = await service.newOrganization();
    await make.member(organizationId, "owner");
    const args = { email: `${randomUUID()}@example.com`, role: "owner" };
    const { json } = await change(organizationId, owner, "invite_member", args);
    await change(organizationId, owner, "leave_organization");
    // As if the invitation had been made at the moment in which its inviter left.
    const reopened = await service.db.query(
      sql`update invitations set withdrawn_at = null where inviter_id = ${ownerId} returning id`,
    );
    expect(reopened).toHaveLength(1);
    expect(await outcomesOf(json.link)).toEqual(["not_found", "not_found"]);
  });

  it("is named in the preview of what ends it", async () => {
    const { organizationId, owner } = await service.newOrganization();
    const inviterId = await make.member(organizationId, "owner");
    const inviter = await service.signIn(inviterId);
    const emails = ["a@example.com", "b@example.com"];
    for (const email of emails) await change(organizationId, inviter, "invite_member", { email, role: "member" });
    const named = [
      {
        code: "invitations_withdrawn",
        path: "invitations",
        message: expect.stringContaining("a@example.com, b@example.com"),
      },
    ];
    const preview = async (tool: string, args: object, cookie = owner) =>
      (await service.post(`organizations/${organizationId}/tools/${tool}`, cookie, args)).json;
    for (const shown of [
      await preview("remove_member", { user_id: inviterId }),
      await preview("set_member_role", { user_id: inviterId, role: "admin" }),
      await preview("leave_organization", {}, inviter),
    ]) {
      expect(shown).toMatchObject({ warnings: named, current: { invitations: emails }, proposed: { invitations: [] } });
    }
    expect((await preview("set_member_role", { user_id: inviterId, role: "owner" })).warnings).toEqual([]);
    const removal = await asAdministrator("remove_person", { person_id: inviterId });
    expect(removal.preview).toMatchObject({
      warnings: [{ code: "invitations_withdrawn" }],
      current: { person: { invitations: emails } },
    });
  });
});

describe("an invitation by an administrator", () => {
  const invite = async (inviterId: string, args: object): Promise<string> => {
    const cookie = await service.signIn(inviterId);
    const given = { email: `${randomUUID()}@example.com`, ...args };
    return (await service.administer(cookie, "invite_person", given)).json.link;
  };
  const endings: Ending[] = [
    [
      "administers no longer",
      (_, person_id) => asAdministrator("set_platform_admin", { person_id, platform_admin: false }),
    ],
    ["is removed", (_, person_id) => asAdministrator("remove_person", { person_id })],
  ];

  it.each(endings)("ends when the administrator %s", async (_name, end) => {
    const organization = await service.newOrganization();
    const { organizationId: organization_id } = organization;
    const inviterId = await make.platformAdministrator();
    const links = [
      await invite(inviterId, { platform_admin: true }),
      await invite(inviterId, { organization_id, role: "owner" }),
      await invite(inviterId, { organization_id, role: "member", platform_admin: true }),
    ];
    await end(organization, inviterId);
    for (const link of links) expect(await outcomesOf(link)).toEqual(["not_found", "not_found"]);
  });

  it("of an organization that they own stays, without the administration", async () => {
    const { organizationId } = await service.newOrganization();
    const inviterId = await make.platformAdministrator();
    await service.db.query(
      sql`insert into members (organization_id, user_id, role) values (${organizationId}, ${inviterId}, 'owner')`,
    );
    const kept = await invite(inviterId, { organization_id: organizationId, role: "admin" });
    const lost = await invite(inviterId, { organization_id: organizationId, role: "admin", platform_admin: true });
    const ended = await asAdministrator("set_platform_admin", { person_id: inviterId, platform_admin: false });
    expect(ended.preview.warnings).toMatchObject([{ code: "invitations_withdrawn" }]);
    expect(ended.preview.current.invitations).toHaveLength(1);
    expect(await outcomesOf(lost)).toEqual(["not_found", "not_found"]);
    expect(await outcomesOf(kept)).toEqual(["open", "open"]);
  });
});

it("an import says what it ends, and the organization that had an offer finds its end in its history", async () => {
  const [{ organizationId, owner }, recipient] = [await service.newOrganization(), await service.newOrganization()];
  const [demoted, dropped] = [await make.member(organizationId, "owner"), await make.member(organizationId, "owner")];
  const email = `${randomUUID()}@example.com`;
  await change(organizationId, await service.signIn(dropped), "invite_member", { email, role: "member" });
  const kept = { email: `${randomUUID()}@example.com`, role: "member" };
  await change(organizationId, owner, "invite_member", kept);
  const offer = async (by: string, to: string) => {
    const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
    const args = { event_id: eventId, organization_id: to };
    await change(organizationId, await service.signIn(by), "set_event_primary_host", args);
    return eventId;
  };
  await offer(demoted, recipient.organizationId);
  const [row] = await service.db.query<{ slug: string; ids: string[] }>(sql`
    select slug, array(select user_id from members where organization_id = o.id and role = 'owner') as ids
    from organizations o where id = ${organizationId}`);
  const { slug = "", ids = [] } = row ?? {};
  const owners = await Promise.all(ids.filter((id) => id !== demoted && id !== dropped).map(emailOf));
  const members = [
    ...owners.map((each) => ({ email: each, role: "owner" })),
    { email: await emailOf(demoted), role: "member" },
  ];
  const folder = await mkdtemp(join(tmpdir(), "svc-test-"));
  const file = join(folder, "people.json");
  await writeFile(file, JSON.stringify({ organizations: [{ slug, members }] }));
  const said = async (...options: string[]) =>
    (await runCommand(["import", file, ...options], fresh.env)).stderr.split("\n").filter(Boolean).sort();
  const lines = async (become: string) =>
    [
      `Open invitations by ${await emailOf(dropped)} ${become}: ${email}.`,
      `Offers of events by ${await emailOf(demoted)} ${become}: Test Event to Test Organization.`,
    ].sort();
  expect(await said("--check")).toEqual(await lines("would be withdrawn"));
  expect(await said()).toEqual(await lines("are withdrawn"));
  expect(await said()).toEqual([]);
  const history = async () =>
    (await service.get(`organizations/${recipient.organizationId}/activity`, recipient.owner)).json.items;
  expect(await history()).toMatchObject([{ tool: "host_offer_withdrawn" }, { tool: "host_offer_received" }]);
  // So does one that gives an event to another organization, or ends the administration of the platform.
  const owned = await service.newOrganization();
  const event_id = await make.event(await make.conference(), { hosts: [owned.organizationId] });
  await change(owned.organizationId, owned.owner, "set_event_primary_host", {
    event_id,
    organization_id: recipient.organizationId,
  });
  const hosts = [{ organization: organizationId, role: "host" }];
  await writeFile(file, JSON.stringify({ events: [{ id: event_id, hosts }] }));
  expect(await said()).toEqual([expect.stringMatching(/^Offers of events by .* are withdrawn: Test Event to/)]);
  expect((await history()).map(({ tool }: { tool: string }) => tool)).toEqual([
    "host_offer_withdrawn",
    "host_offer_received",
    "host_offer_withdrawn",
    "host_offer_received",
  ]);
  const administrator = await make.platformAdministrator();
  const cookie = await service.signIn(administrator);
  const invitation = { email: `${randomUUID()}@example.com`, platform_admin: true };
  await service.administer(cookie, "invite_person", invitation);
  await writeFile(file, JSON.stringify({ users: [{ email: await emailOf(administrator), platform_admin: false }] }));
  expect(await said()).toEqual([
    `Open invitations by ${await emailOf(administrator)} are withdrawn: ${invitation.email}.`,
  ]);
  await rm(folder, { recursive: true });
});

describe("the offer of an event", () => {
  const offersOf = (eventId: string) => service.db.query(sql`select from host_offers where event_id = ${eventId}`);

  async function newOffer() {
    const host = await service.newOrganization();
    const recipient = await service.newOrganization();
    const eventId = await make.event(await make.conference(), { hosts: [host.organizationId] });
    const personId = await make.member(host.organizationId, "owner");
    const args = { event_id: eventId, organization_id: recipient.organizationId };
    const offered = await change(host.organizationId, await service.signIn(personId), "set_event_primary_host", args);
    expect(offered.json.after.offer.to.id).toBe(recipient.organizationId);
    const accept = () => change(recipient.organizationId, recipient.owner, "set_event_primary_host", args);
    return { host, recipient, eventId, personId, accept };
  }

  const endings: Ending[] = [
    // By a change, and by one of the database: invitations end in all of these ways.
    ...byOwners.filter(([name]) => ["leaves", "is removed by a change of the database"].includes(name)),
    [
      "becomes a member",
      ({ organizationId, owner }, user_id) =>
        change(organizationId, owner, "set_member_role", { user_id, role: "member" }),
    ],
  ];

  it.each(endings)("ends when the person who made it %s", async (_name, end) => {
    const { host, eventId, personId, accept } = await newOffer();
    await end(host, personId);
    expect(await offersOf(eventId)).toEqual([]);
    expect((await accept()).status).toBe(403);
  });

  it("stays when the person becomes an admin, who may offer events too", async () => {
    const { host, personId, accept } = await newOffer();
    const demotion = { user_id: personId, role: "admin" };
    const demoted = await change(host.organizationId, host.owner, "set_member_role", demotion);
    expect(demoted.json).toMatchObject({ warnings: [], after: { offers: [{ event: { name: "Test Event" } }] } });
    expect((await accept()).json.after.hosts[0].role).toBe("host");
  });

  it.each([
    ["remove_member", {}],
    ["set_member_role", { role: "member" }],
  ])(
    "is named in the preview of %s, and its end in the history of the organization that had it",
    async (tool, args) => {
      const { host, recipient, eventId, personId } = await newOffer();
      const path = `organizations/${host.organizationId}/tools/${tool}`;
      const { json } = await service.post(path, host.owner, { user_id: personId, ...args });
      expect(json.warnings).toMatchObject([
        {
          code: "offers_withdrawn",
          path: "offers",
          message: expect.stringContaining("Test Event to Test Organization"),
        },
      ]);
      await service.post(path, host.owner, { ...json.commit_with, reason: "for the test" });
      const { items } = (await service.get(`organizations/${recipient.organizationId}/activity`, recipient.owner)).json;
      expect(items).toMatchObject([{ tool: "host_offer_withdrawn" }, { tool: "host_offer_received" }]);
      expect(await offersOf(eventId)).toEqual([]);
    },
  );

  it.each([
    ["an administrator", (person_id: string) => asAdministrator("remove_person", { person_id })],
    ["an operator", async (id: string) => removeUser(service.db, testOperator, await emailOf(id))],
  ])("is named when %s removes the person from the platform", async (_by, remove) => {
    const { recipient, personId } = await newOffer();
    const removed = await remove(personId);
    if ("preview" in removed) {
      expect(removed.preview).toMatchObject({
        warnings: [{ code: "offers_withdrawn", path: "person", message: expect.stringContaining("Test Event") }],
        current: { person: { offers: [{ event: { name: "Test Event" } }] } },
      });
    } else expect(removed.offers).toMatchObject([{ event: { name: "Test Event" } }]);
    const { items } = (await service.get(`organizations/${recipient.organizationId}/activity`, recipient.owner)).json;
    expect(items).toMatchObject([{ tool: "host_offer_withdrawn" }, { tool: "host_offer_received" }]);
  });

  it("that the database still holds is refused without the right", async () => {
    const { host, recipient, eventId, personId, accept } = await newOffer();
    const [kept] = await service.db.query<{ offered_by: string }>(
      sql`select offered_by from host_offers where event_id = ${eventId}`,
    );
    expect(kept?.offered_by).toBe(personId);
    await change(host.organizationId, host.owner, "remove_member", { user_id: personId });
    await service.db.query(sql`
      insert into host_offers (event_id, from_organization_id, to_organization_id, offered_by)
      values (${eventId}, ${host.organizationId}, ${recipient.organizationId}, ${personId})`);
    expect((await accept()).status).toBe(403);
  });
});
