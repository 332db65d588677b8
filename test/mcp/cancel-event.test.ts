import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { useEvent, useService } from "../support/setup.js";

const { service, db, make } = useService();
const { fixture, tools } = useEvent(db);

const cancel = () => tools.commit("cancel_event");
const statusOf = async (id = fixture.eventId) => {
  const [row] = await db.query<{ status: string; cancelled: boolean }>(
    sql`select status, cancelled_at is not null as cancelled from events where id = ${id}`,
  );
  return row;
};

describe("cancel_event", () => {
  it("shows whom and what it affects, and records no names", async () => {
    await db.query(sql`update posters set posted_urls = '{"x": "https://x.example/1", "bluesky": "https://b.example/1"}'
      where id = ${fixture.posterId}`);
    const { preview, record_id } = await cancel();
    expect(preview.affects).toEqual({
      guests: { pending: 1, approved: 1, waitlisted: 1, declined: 1, checked_in: 0 },
      first_guests: ["Guest approved", "Guest pending"],
      posted_links: { count: 2, platforms: ["bluesky", "x"] },
    });
    const [record] = await db.query(sql`select * from mutation_records where id = ${record_id}`);
    expect(JSON.stringify(record)).not.toContain("Guest approved");
    expect(await statusOf()).toEqual({ status: "archived", cancelled: true });
  });

  it("hides the event from everybody but its host, which can read it and take the cancellation back", async () => {
    const { record_id: earlier } = await tools.commit("update_event_details", { venue: "Hall 2" });
    const { record_id } = await cancel();
    const key = await make.organizationKey(fixture.organizationId);
    expect((await service.call(`/api/svc/events/${fixture.eventId}/posters`, { key })).status).toBe(404);
    const cohost = tools.as({ organizationId: fixture.cohostOrganizationId });
    expect((await cohost.refusal("get_event_admin_snapshot")).code).toBe("not_found");
    expect((await tools.run("list_event_registrations")).items).toHaveLength(4);
    for (const [tool, args] of [
      ["update_event_details", { venue: "Hall 3" }],
      ["update_event_details", { status: "published" }],
      ["set_event_registration_check_in", { registration_id: fixture.registrationIds.approved, checked_in: true }],
      ["duplicate_event", { start_time: "2031-06-01T18:00:00Z" }],
      ["revert_change", { record_id: earlier }],
    ] as const) {
      const refusal = await tools.refusal(tool, args);
      expect(refusal, tool).toMatchObject({ code: "conflict", message: expect.stringContaining("cancelled") });
    }
    const { items } = await tools.run("list_changes", { event_id: fixture.eventId });
    expect(items.map(({ id, revertible }: { id: string; revertible: boolean }) => [id, revertible])).toEqual([
      [record_id, true],
      [earlier, false],
    ]);
    expect((await tools.run("cancel_event")).message).toContain("Nothing to change");
    const reverted = await tools.commit("revert_change", { record_id });
    expect(await statusOf()).toEqual({ status: "published", cancelled: false });
    await tools.commit("revert_change", { record_id: reverted.record_id });
    expect(await statusOf()).toEqual({ status: "archived", cancelled: true });
  });

  it("is for the host alone, and cannot be taken back by somebody else", async () => {
    const cohost = tools.as({ organizationId: fixture.cohostOrganizationId });
    expect((await cohost.refusal("cancel_event")).message).toContain("Only the host");
    const { record_id } = await cancel();
    expect((await cohost.refusal("revert_change", { record_id })).code).toBe("not_found");
    await db.query(sql`update event_hosts set role = 'co_host' where event_id = ${fixture.eventId}`);
    expect((await tools.refusal("revert_change", { record_id })).code).toBe("not_found");
  });

  it("cannot be taken back once an administrator has decided about the status", async () => {
    const { record_id } = await cancel();
    for (const status of ["published", "archived"]) {
      await db.query(sql`update events set status = ${status} where id = ${fixture.eventId}`);
    }
    expect(await statusOf()).toEqual({ status: "archived", cancelled: false });
    expect((await tools.refusal("revert_change", { record_id })).code).toBe("not_found");
  });

  it("withdraws a proposal, which comes back with the revert", async () => {
    const event_id = await make.proposal(fixture.conferenceId, fixture.organizationId);
    const { record_id } = await tools.commit("cancel_event", { event_id });
    expect((await tools.run("get_organization_admin_snapshot")).proposals).toBeUndefined();
    await tools.commit("revert_change", { record_id });
    expect(await statusOf(event_id)).toEqual({ status: "draft", cancelled: false });
    expect((await tools.run("get_organization_admin_snapshot")).proposals).toHaveLength(1);
  });

  it("goes ahead while guests change, and changes of guests that come later are refused", async () => {
    const { commit_with } = await tools.run("cancel_event");
    await tools.commit("add_event_guest", { name: "Grace Hopper", email: "grace@example.com" });
    const registration_ids = [fixture.registrationIds.pending];
    const batch = await tools.run("batch_update_event_registrations", { action: "approve", registration_ids });
    const [cancelled, approved] = await Promise.allSettled([
      tools.run("cancel_event", { ...commit_with, reason: "storm" }),
      tools.run("batch_update_event_registrations", { ...batch.commit_with, reason: "late" }),
    ]);
    expect(cancelled).toMatchObject({ status: "fulfilled", value: { warnings: [{ code: "guests_not_told" }] } });
    const [row] = await db.query<{ status: string }>(
      sql`select status from registrations where id = ${registration_ids[0]}`,
    );
    expect(row?.status).toBe(approved?.status === "fulfilled" ? "approved" : "pending");
    const late = { name: "Late", email: "late@example.com" };
    expect((await tools.refusal("add_event_guest", late)).message).toContain("cancelled");
  });
});
