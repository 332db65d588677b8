import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { createEventFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { startConsole } from "./support.js";

it("a selection of guests is refused where it is larger than anyone looks at", async ({ onTestFinished }) => {
  const service = await startConsole();
  onTestFinished(() => service.close());
  const { organizationId, eventId } = await createEventFixture(service.db);
  const member = await service.signIn(await makerOn(service.db).member(organizationId, "member"));
  await service.db.query(sql`
    insert into registrations (event_id, name, email)
    select ${eventId}, 'Guest', n || '@example.com' from generate_series(1, 20001) n`);
  const selection = `organizations/${organizationId}/events/${eventId}/guests/selection`;
  const { status, json } = await service.get(selection, member);
  expect(status).toBe(400);
  expect(json.error).toContain("More than 20,000 guests match");
  expect((await service.get(`${selection}?status=approved`, member)).json.items).toHaveLength(1);
});
