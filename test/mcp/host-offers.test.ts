import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { createObservation } from "../../src/infra/observability/observation.js";
import { readNews } from "../../src/modules/dashboard/store.js";
import { setEventHost } from "../../src/modules/events/admin-tools.js";
import { type ExportedRecord, type RecordView, readRecordBatches } from "../../src/records/record-page.js";
import { callTool as runTool } from "../../src/runner/run.js";
import { useEvent, useService } from "../support/setup.js";
import { callTool, listNames } from "./messages.js";
import { storedHosts } from "./stored-hosts.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

const cohostTools = () => tools.as({ organizationId: fixture.cohostOrganizationId });
const hosts = () => storedHosts(db, fixture.eventId);

async function allRecords(view: RecordView): Promise<ExportedRecord[]> {
  const records: ExportedRecord[] = [];
  for await (const batch of readRecordBatches(db, view)) records.push(...batch);
  return records;
}

describe("set_event_primary_host", () => {
  const offers = async () =>
    (
      await db.query<{ to: string }>(
        sql`select to_organization_id as "to" from host_offers where event_id = ${fixture.eventId}`,
      )
    ).map(({ to }) => to);
  const others = () => tools.as({ organizationId: fixture.otherOrganizationId });
  const name = "set_event_primary_host";

  it("makes a co-host the host at once, and ends an open offer", async () => {
    const organization_id = fixture.cohostOrganizationId;
    await tools.commit(name, { organization_id: fixture.otherOrganizationId });
    const done = await tools.commit(name, { organization_id });
    expect(done.preview.effect).toContain("Next Door becomes the host at once, because it is a co-host");
    expect(done.preview.warnings).toMatchObject([
      {
        code: "cannot_take_back",
        path: "hosts",
        message: expect.stringContaining("only Next Door can hand the event"),
      },
    ]);
    expect(done.after).toMatchObject({ hosts: [{ id: organization_id, role: "host" }, {}], offer: null });
    expect(await hosts()).toEqual([
      [organization_id, "host"],
      [fixture.organizationId, "co_host"],
    ]);
    expect(await offers()).toEqual([]);
    for (const tool of ["add_event_cohost", name]) {
      expect((await tools.refusal(tool, { organization_id: fixture.otherOrganizationId })).code).toBe("forbidden");
    }
    expect((await tools.run("get_event_host_snapshot")).may_change).toBe(false);
    await cohostTools().commit(name, { organization_id: fixture.organizationId });
    expect(await hosts()).toMatchObject([[fixture.organizationId, "host"], {}]);
  });

  it("offers the event to an organization that does not host it, which accepts it", async () => {
    const organization_id = fixture.otherOrganizationId;
    const preview = await tools.run(name, { organization_id });
    expect(preview.effect).toContain("Nothing changes until Far Away accepts");
    expect(preview).toMatchObject({ current: { offer: null }, proposed: { offer: { to: { id: organization_id } } } });
    const commit = { ...preview.commit_with, reason: "for the test" };
    const done = await tools.run(name, commit);
    expect(done.after).toEqual({
      ...preview.proposed,
      offer: { ...preview.proposed.offer, offered_at: expect.any(String) },
    });
    expect(await tools.run(name, commit)).toMatchObject({ record_id: done.record_id, after: done.after });
    expect(await hosts()).toMatchObject([[fixture.organizationId, "host"], {}]);
    const accepted = await others().commit(name, { organization_id });
    expect(accepted.preview.effect).toContain("Your organization becomes the host");
    expect(accepted.after).toMatchObject({ hosts: [{ id: organization_id, role: "host" }, {}, {}], offer: null });
    expect(await hosts()).toMatchObject([[organization_id, "host"], [fixture.organizationId, "co_host"], {}]);
    expect(await offers()).toEqual([]);
  });

  it("lets an organization without any event find, accept and decline an offer", async () => {
    const { eventId: event_id, otherOrganizationId: organization_id } = fixture;
    const key = await make.organizationKey(organization_id, { role: "admin" });
    expect(await listNames(service, key)).not.toContain(name);
    await tools.commit(name, { organization_id });
    expect((await listNames(service, key)).filter((tool) => tool.includes("event"))).toEqual(["propose_event", name]);
    const call = async (tool: string, args: object) =>
      (await callTool(service, key, tool, { ...args })).result.structuredContent;
    const { host_offers, events } = await call("get_organization_admin_snapshot", {});
    expect(events).toEqual([]);
    expect(host_offers).toMatchObject([
      {
        event_id,
        event: "Test Event",
        conference: "Test",
        timezone: "Europe/Lisbon",
        from: { id: fixture.organizationId, name: "Harbour Works" },
        to: { id: organization_id },
      },
    ]);
    const decline = { event_id, organization_id: fixture.organizationId };
    const preview = await call(name, decline);
    expect(preview.effect).toBe("The offer is declined: Harbour Works stays the host.");
    const commit = { ...preview.commit_with, reason: "no time" };
    const declined = await call(name, commit);
    expect(declined.after.offer).toBeNull();
    expect(await listNames(service, key)).not.toContain(name);
    expect(await call(name, commit)).toMatchObject({ record_id: declined.record_id });
    await tools.commit(name, { organization_id });
    const accept = await call(name, { event_id, organization_id });
    await call(name, { ...accept.commit_with, reason: "with pleasure" });
    expect(await hosts()).toEqual([
      [organization_id, "host"],
      [fixture.organizationId, "co_host"],
      [fixture.cohostOrganizationId, "co_host"],
    ]);
    expect((await service.call("/api/svc/posters", { key })).json.items).toHaveLength(1);
  });

  it("shows an offer to the two organizations only", async () => {
    const third = await make.organization("Third");
    await tools.commit("add_event_cohost", { organization_id: third });
    await tools.commit(name, { organization_id: fixture.otherOrganizationId });
    // The offer stays open when the organization becomes a co-host.
    await tools.commit("add_event_cohost", { organization_id: fixture.otherOrganizationId });
    const offer = { from: { id: fixture.organizationId }, to: { id: fixture.otherOrganizationId, name: "Far Away" } };
    for (const organizationId of [fixture.organizationId, fixture.otherOrganizationId]) {
      const runner = tools.as({ organizationId });
      expect((await runner.run("get_event_host_snapshot")).host_offer).toMatchObject(offer);
      expect((await runner.run("get_event_admin_snapshot")).host_offer).toMatchObject(offer);
      expect((await runner.run("get_organization_admin_snapshot")).host_offers).toMatchObject([offer]);
    }
    const outsider = tools.as({ organizationId: third });
    expect((await outsider.run("get_event_host_snapshot")).host_offer).toBeUndefined();
    expect((await outsider.run("get_event_admin_snapshot")).host_offer).toBeUndefined();
    expect((await outsider.run("get_organization_admin_snapshot")).host_offers).toBeUndefined();
    const leaving = await outsider.run("remove_event_cohost", { organization_id: third });
    expect(leaving.current.offer).toBeNull();
    await db.query(sql`update events set status = 'archived' where id = ${fixture.eventId}`);
    expect((await others().run("get_organization_admin_snapshot")).host_offers).toBeUndefined();
    expect((await others().refusal(name, { organization_id: third })).code).toBe("not_found");
  });

  it("is in the history of the two organizations only", async () => {
    const [third, farAway] = [await make.organization("Third"), fixture.otherOrganizationId];
    await tools.commit("add_event_cohost", { organization_id: third });
    const outsider = tools.as({ organizationId: third });
    const offered = await tools.commit(name, { organization_id: farAway });
    await tools.commit(name, { organization_id: fixture.organizationId });
    await tools.commit(name, { organization_id: farAway });
    const news = async () =>
      (await readNews(db, { ...fixture.caller, organizationId: third }, "2020-01-01T00:00:00Z")).changes;
    // It is offered the event and does not host it.
    const nothing = await tools.run("remove_event_cohost", { organization_id: farAway });
    expect(nothing.proposed).toEqual(nothing.current);
    const changes = await news();
    await tools.commit(name, { organization_id: fixture.organizationId });
    expect(await news()).toBe(changes);
    // The offer that ends with a change of hosts is not part of what others see of it.
    await tools.commit(name, { organization_id: farAway });
    await tools.commit(name, { organization_id: fixture.cohostOrganizationId });
    const seenBy = async (organizationId: string) => {
      const view = { of: "organization", organizationId, filters: { event: fixture.eventId } } as const;
      const listed = await tools.as({ organizationId }).run("list_changes", { event_id: fixture.eventId });
      return JSON.stringify([listed, await allRecords(view)]);
    };
    expect(await seenBy(fixture.organizationId)).toContain(farAway);
    const seen = await seenBy(third);
    expect(seen).toContain(name);
    expect(seen).not.toMatch(new RegExp(`${farAway}|Far Away|"offer"`));
    const refused = await outsider.refusal("revert_change", { record_id: offered.record_id });
    expect(refused.code).toBe("not_found");
    const tool = async () => (await others().run("list_changes")).items.map((change: { tool: string }) => change.tool);
    expect((await tool()).filter((each: string) => each === "host_offer_received")).toHaveLength(3);
  });

  it("is not in the history of an organization that an administrator makes the host instead", async () => {
    const [cohost, farAway] = [fixture.cohostOrganizationId, fixture.otherOrganizationId];
    await tools.commit(name, { organization_id: farAway });
    const userId = await make.user();
    const asAdministrator = async (args: Record<string, unknown>) => {
      const caller = { tier: "super-admin", userId, via: { kind: "session", sessionId: randomUUID() } } as const;
      const call = { tool: setEventHost, caller, args };
      return runTool({ db, baseUrl: "https://svc.test", services: undefined as never }, call, createObservation(null));
    };
    const { commit_with } = await asAdministrator({ event_id: fixture.eventId, organization_id: cohost });
    await asAdministrator({ ...(commit_with as object), reason: "asked by phone" });
    const seenBy = async (organizationId: string) => {
      const view = { of: "organization", organizationId, filters: { event: fixture.eventId } } as const;
      const records = await allRecords(view);
      return JSON.stringify(records.filter(({ tool }) => tool === "set_event_host"));
    };
    expect(await seenBy(cohost)).toContain(cohost);
    expect(await seenBy(cohost)).not.toMatch(new RegExp(`${farAway}|Far Away`));
    expect(await seenBy(fixture.organizationId)).toContain(farAway);
    const platform = JSON.stringify(await allRecords({ of: "platform", filters: { event: fixture.eventId } }));
    expect(platform).toContain(farAway);
  });

  it("withdraws, replaces and repeats an offer", async () => {
    const first = await make.organization("Further Away");
    await tools.commit(name, { organization_id: first });
    const again = await tools.commit(name, { organization_id: first });
    expect(again.message).toContain("Nothing to change");
    const firstTools = tools.as({ organizationId: first });
    const accept = await firstTools.run(name, { organization_id: first });
    await db.query(sql`update host_offers set offered_at = '2020-01-01' where event_id = ${fixture.eventId}`);
    await tools.commit(name, { organization_id: fixture.otherOrganizationId });
    expect(await offers()).toEqual([fixture.otherOrganizationId]);
    expect((await tools.run("get_event_host_snapshot")).host_offer.offered_at).not.toMatch(/^2020/);
    const late = { ...accept.commit_with, reason: "too late" };
    expect((await firstTools.refusal(name, late)).code).toBe("forbidden");
    const withdrawn = await tools.commit(name, { organization_id: fixture.organizationId });
    expect(withdrawn.preview.effect).toContain("The offer to Far Away is withdrawn");
    expect(await offers()).toEqual([]);
    expect((await others().refusal(name, { organization_id: fixture.otherOrganizationId })).code).toBe("forbidden");
    expect(await hosts()).toHaveLength(2);
  });

  it("an acceptance of an offer that was made anew since the preview is stale", async () => {
    const organization_id = fixture.otherOrganizationId;
    await tools.commit(name, { organization_id });
    const accept = await others().run(name, { organization_id });
    await tools.commit(name, { organization_id: fixture.organizationId });
    await tools.commit(name, { organization_id });
    const error = await others().refusal(name, { ...accept.commit_with, reason: "late" });
    expect(error.code).toBe("version_conflict");
    expect(await hosts()).toMatchObject([[fixture.organizationId, "host"], {}]);
  });

  it("either accepts or withdraws when both happen at once", async () => {
    const organization_id = fixture.otherOrganizationId;
    await tools.commit(name, { organization_id });
    const accept = await others().run(name, { organization_id });
    const withdraw = await tools.run(name, { organization_id: fixture.organizationId });
    const outcomes = await Promise.allSettled([
      others().run(name, { ...accept.commit_with, reason: "yes" }),
      tools.run(name, { ...withdraw.commit_with, reason: "no" }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [first] = await hosts();
    expect(first?.[0]).toBe(outcomes[0]?.status === "fulfilled" ? organization_id : fixture.organizationId);
    expect(await offers()).toEqual([]);
  });

  it("does not ask a person who administers both organizations", async () => {
    const organization_id = fixture.otherOrganizationId;
    const join = (role: string) =>
      db.query(sql`
        insert into members (organization_id, user_id, role) values (${organization_id}, ${fixture.caller.userId}, ${role})
        on conflict (organization_id, user_id) do update set role = excluded.role`);
    await join("member");
    expect((await tools.run(name, { organization_id })).proposed.hosts[0].id).toBe(fixture.organizationId);
    await join("admin");
    await tools.commit(name, { organization_id: await make.organization("Further Away") });
    const done = await tools.commit(name, { organization_id });
    expect(done.preview.effect).toContain("at once, because you administer both");
    expect(await hosts()).toMatchObject([[organization_id, "host"], {}, {}]);
    expect(await offers()).toEqual([]);
  });

  it("an offer ends when its organization leaves, is removed, or an administrator sets another host", async () => {
    const organization_id = fixture.otherOrganizationId;
    await tools.commit(name, { organization_id });
    await tools.commit("add_event_cohost", { organization_id });
    const left = await others().commit("remove_event_cohost", { organization_id });
    expect([left.preview.current.offer?.to.id, left.after.offer]).toEqual([organization_id, null]);
    expect(await offers()).toEqual([]);
    await tools.commit(name, { organization_id });
    await tools.commit("add_event_cohost", { organization_id });
    await tools.commit("remove_event_cohost", { organization_id });
    expect(await offers()).toEqual([]);
    await tools.commit(name, { organization_id });
    await db.query(sql`update event_hosts set role = 'co_host' where event_id = ${fixture.eventId}`);
    expect(await offers()).toEqual([]);
  });

  it("has a record for both organizations", async () => {
    const records = async (organizationId: string) =>
      (
        await db.query<{
          tool: string;
          user_id: string | null;
          event_id: string | null;
          before: unknown;
          after: unknown;
        }>(sql`select * from mutation_records where organization_id = ${organizationId} order by at, tool`)
      ).map(({ tool, user_id, event_id, before, after }) => ({ tool, user_id, event_id, before, after }));
    const offered = { event: { id: fixture.eventId, name: "Test Event" }, from: { id: fixture.organizationId } };
    await tools.commit(name, { organization_id: fixture.otherOrganizationId });
    const nobody = { user_id: null, event_id: null };
    expect(await records(fixture.otherOrganizationId)).toMatchObject([
      { tool: "host_offer_received", ...nobody, before: null, after: offered },
    ]);
    await tools.commit(name, { organization_id: fixture.cohostOrganizationId });
    expect(await records(fixture.otherOrganizationId)).toMatchObject([
      { tool: "host_offer_received" },
      { tool: "host_offer_withdrawn", ...nobody, before: offered, after: null },
    ]);
    // A co-host sees the record of the event itself.
    expect(await records(fixture.cohostOrganizationId)).toEqual([]);
    expect(await records(fixture.organizationId)).toMatchObject([
      { tool: name, user_id: fixture.caller.userId, event_id: fixture.eventId },
      { tool: name },
    ]);
  });
});
