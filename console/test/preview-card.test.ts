import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { HostOptions } from "../../test/support/card-host.js";
import { withCards } from "./card-view.ts";
import { withPages } from "./pages.ts";

const pages = withPages();
const { service } = pages;
const { fixture, client, open } = withCards(pages);

const details = (more: object) => ({ event_id: fixture.eventId, ...more });

const venue = async () => {
  const [event] = await service.db.query<{ venue: string | null }>(
    sql`select venue from events where id = ${fixture.eventId}`,
  );
  return event?.venue;
};

it("shows what changes and what to beware of, and commits it", async () => {
  const end_time = "2031-05-09T20:00:00Z";
  const card = await open("update_event_details", details({ dry_run: true, venue: "Hall 2", end_time }));
  expect(card.text()).toContain("Update an event's details Preview Test Event");
  expect(card.text()).toContain("Venue from empty to Hall 2");
  expect(card.text()).toContain(
    "End time from Thu 1 May 2031, 21:00, Lisbon time to Fri 9 May 2031, 21:00, Lisbon time",
  );
  within(card.getByRole("region", { name: "Warnings" })).getByText(/8 days|hours/);
  await card.giveReason("The board agreed");
  await card.confirm();
  await card.says("The change was made");
  expect(await venue()).toBe("Hall 2");
  const [record] = await service.db.query<{ id: string; reason: string; via: string }>(
    sql`select id, reason, via from mutation_records where event_id = ${fixture.eventId}`,
  );
  expect(record).toMatchObject({ reason: "The board agreed", via: "key" });
  expect(card.text()).toContain(`Record ${record?.id}`);
  expect(card.queryByRole("button")).toBeNull();
  expect(card.getByRole("status").textContent).toBe("The change was made");
  await expect
    .poll(() => card.callsOf("ui/update-model-context"))
    .toEqual([
      {
        content: [{ type: "text", text: expect.stringContaining(`record_id ${record?.id}`) }],
        structuredContent: { tool: "update_event_details", dry_run: false, record_id: record?.id },
      },
    ]);
  expect(card.callsOf("ui/message")).toEqual([]);
});

it("introduces itself as the extension demands, and responds to what the host asks", async () => {
  const card = await open("update_event_details", details({ venue: "Hall 2" }));
  const [first, second, third] = card.heard;
  expect(first).toEqual({
    jsonrpc: "2.0",
    id: 1,
    method: "ui/initialize",
    params: {
      protocolVersion: "2026-01-26",
      appInfo: { name: expect.any(String), title: expect.any(String), version: expect.any(String) },
      appCapabilities: { availableDisplayModes: ["inline"] },
    },
  });
  expect(second).toEqual({ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} });
  expect(third).toMatchObject({ method: "ui/notifications/size-changed", params: { height: expect.any(Number) } });
  await card.send({ jsonrpc: "2.0", id: 70, method: "ping" });
  await card.send({ jsonrpc: "2.0", id: 71, method: "ui/resource-teardown", params: {} });
  await card.send({ jsonrpc: "2.0", id: 72, method: "sampling/createMessage", params: {} });
  await expect
    .poll(() => card.heard.filter(({ id = 0 }) => id >= 70))
    .toEqual([
      { jsonrpc: "2.0", id: 70, result: {} },
      { jsonrpc: "2.0", id: 71, result: {} },
      { jsonrpc: "2.0", id: 72, error: { code: -32601, message: "Method not found: sampling/createMessage" } },
    ]);
});

it("asks for a reason, and takes over the one that the model gave", async () => {
  const card = await open("update_event_details", details({ venue: "Hall 2" }));
  await card.confirm();
  await card.says("Say why.");
  expect(card.document.activeElement).toBe(card.reason());
  expect(card.reason().getAttribute("aria-invalid")).toBe("true");
  expect(card.getByRole("status").textContent).toBe("Say why.");
  await card.giveReason("   ");
  await card.confirm();
  expect(card.callsOf("tools/call")).toEqual([]);
  await card.giveReason("Bigger \u202e room");
  await card.confirm();
  await card.says("The change was not made");
  await card.says(/reason: .*U\+202E/);
  expect(card.reason().value).toBe("Bigger \u202e room");
  expect(await venue()).toBeNull();
  await card.giveReason("Bigger room");
  await card.confirm();
  await card.says("The change was made");
  expect(await venue()).toBe("Hall 2");
  const given = await open("update_event_details", details({ venue: "Hall 3", reason: "The other hall is booked" }));
  expect(given.reason().value).toBe("The other hall is booked");
});

it("commits once, however often it is confirmed", async () => {
  let pass = () => {};
  const isHeld = new Promise<void>((resolve) => {
    pass = resolve;
  });
  const callTool: HostOptions["callTool"] = async (_params, send) => {
    await isHeld;
    return send();
  };
  const card = await open("add_event_speaker", details({ name: "Ada Lovelace", reason: "She agreed" }), { callTool });
  await card.user.dblClick(card.getByRole("button", { name: "Confirm" }));
  await card.user.click(card.getByRole("button", { name: "Confirming…" }));
  await expect.poll(() => card.callsOf("tools/call")).toHaveLength(1);
  expect(card.getByRole("main").getAttribute("aria-busy")).toBe("true");
  pass();
  await card.says("The change was made");
  expect(card.callsOf("tools/call")).toHaveLength(1);
  const speakers = await service.db.query(sql`
    select from speakers where event_id = ${fixture.eventId} and name = 'Ada Lovelace'`);
  expect(speakers).toHaveLength(1);
});

it("shows the new preview after a conflict, and asks again", async () => {
  const card = await open("update_event_details", details({ venue: "Hall 2", reason: "Bigger room" }));
  await service.db.query(sql`update events set venue = 'Roof terrace' where id = ${fixture.eventId}`);
  await card.confirm();
  await card.says("This was changed meanwhile");
  expect(card.text()).toContain("Venue from Roof terrace to Hall 2");
  expect(card.text()).toContain("Test Event");
  expect(await venue()).toBe("Roof terrace");
  expect(card.callsOf("ui/update-model-context")).toEqual([]);
  await card.confirm();
  await card.says("The change was made");
  expect(await venue()).toBe("Hall 2");
});

it("finds out what happened when no response arrived, with the same commit", async () => {
  let calls = 0;
  const callTool: HostOptions["callTool"] = async (_params, send) => {
    const result = await send();
    if (calls++ === 0) throw new Error("connection lost");
    return result;
  };
  const card = await open("add_event_speaker", details({ name: "Ada", reason: "She agreed" }), { callTool });
  await card.confirm();
  await card.says("No response arrived");
  await card.says("connection lost. The change may have been made");
  expect(card.reason().readOnly).toBe(true);
  await card.user.click(card.getByRole("button", { name: "Confirm again" }));
  await card.says("The change was made");
  const [first, second] = card.callsOf("tools/call");
  expect(second).toEqual(first);
  const speakers = await service.db.query(sql`select from speakers where event_id = ${fixture.eventId}`);
  expect(speakers).toHaveLength(4);
});

it("previews again what was confirmed before with another reason", async () => {
  const args = details({ venue: "Hall 2" });
  const result = await client().callTool({ name: "update_event_details", arguments: args });
  const first = await open("update_event_details", args, { result });
  await first.giveReason("First reason");
  await first.confirm();
  await first.says("The change was made");
  const second = await open("update_event_details", args, { result });
  await second.giveReason("Another reason");
  await second.confirm();
  await second.says("The change was not made");
  await second.says("idempotency_key");
  await second.user.click(second.getByRole("button", { name: "Preview again" }));
  await second.says("Nothing to change");
  expect(second.queryByRole("button")).toBeNull();
});
