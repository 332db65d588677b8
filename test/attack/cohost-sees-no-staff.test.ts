import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { useDatabase, useEvent } from "../support/setup.js";

const { db, make } = useDatabase();
const { fixture, tools } = useEvent(db);

it("shows a co-host only the name of the organization whose staff changed a registration", async () => {
  const staff = await db.query<{ email: string; name: string }>(
    sql`update users set name = 'Marked Name' where id = ${fixture.caller.userId} returning email, name`,
  );
  const key = await make.organizationKey(fixture.organizationId, { userId: fixture.caller.userId });
  const keyId = await make.keyId(key);
  await db.query(sql`update api_keys set name = 'Marked Key' where id = ${keyId}`);
  const host = tools.as({ via: { ...fixture.caller.via, keyId } });
  const cohost = tools.as({
    organizationId: fixture.cohostOrganizationId,
    userId: await make.member(fixture.cohostOrganizationId, "owner"),
  });
  const one = { registration_id: fixture.registrationIds.pending };
  await host.commit("approve_event_registration", one, "a marked reason");
  await cohost.commit("set_event_registration_check_in", { ...one, checked_in: true }, "a reason of our own");

  const seenByCohost = await cohost.run("get_event_registration_details", one);
  expect(seenByCohost.history).toMatchObject([
    { organization: "Next Door", reason: "a reason of our own", user: { name: "Test Person" } },
    { organization: "Harbour Works", reason: null, user: null, key: null, from: "pending", to: "approved" },
  ]);
  for (const marked of [staff[0]?.email, "Marked Name", "Marked Key", "a marked reason"]) {
    expect(marked).toBeDefined();
    expect(JSON.stringify(seenByCohost)).not.toContain(marked);
  }
  const seenByHost = await host.run("get_event_registration_details", one);
  expect(seenByHost.history).toMatchObject([
    { organization: "Next Door", reason: null, user: null, key: null },
    { organization: "Harbour Works", reason: "a marked reason", user: staff[0], key: "Marked Key" },
  ]);
});
