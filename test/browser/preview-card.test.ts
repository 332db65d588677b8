import type { Client } from "@modelcontextprotocol/client";
import sql from "sql-template-tag";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { type CardHost, connectClient, expectAccessibleCards, type HostOptions, showCard } from "./card-host.js";
import { type BrowserService, startBrowserService, type Visitor, withBrowser } from "./support.js";

withBrowser("the preview card", { timeout: 120_000 }, () => {
  let service: BrowserService;
  let fixture: EventFixture;
  let client: Client;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    service = await startBrowserService();
  }, 60_000);
  afterAll(() => service.close());

  beforeEach(async () => {
    fixture = await createEventFixture(service.db);
    const { organizationId, caller } = fixture;
    const key = await makerOn(service.db).organizationKey(organizationId, { userId: caller.userId });
    client = await connectClient(service.url, key);
  });

  afterEach(async () => {
    for (const { context } of visitors.splice(0)) await context.close();
    await client.close();
  });

  async function open(name: string, args: object, options?: HostOptions & { size?: "phone" }): Promise<CardHost> {
    const visitor = await service.visit(options?.size === undefined ? {} : { size: options.size });
    visitors.push(visitor);
    const host = await showCard(visitor, client, { name, arguments: args }, options);
    await host.view.getByRole("heading", { level: 1 }).waitFor();
    return host;
  }

  const details = (more: object) => ({ event_id: fixture.eventId, ...more });
  const confirm = (host: CardHost) => host.view.getByRole("button", { name: "Confirm" }).click();
  const reason = (host: CardHost) => host.view.getByLabel("Reason");
  const shows = (host: CardHost, text: string | RegExp) => host.view.getByText(text).first().waitFor();
  /** As a screen reader has it. */
  const textOf = async (host: CardHost) => (await host.view.getByRole("main").innerText()).replaceAll(/\s+/g, " ");

  const venue = async () => {
    const [event] = await service.db.query<{ venue: string | null }>(
      sql`select venue from events where id = ${fixture.eventId}`,
    );
    return event?.venue;
  };

  /** Nothing was loaded, no error was logged, and nothing violated a policy. */
  function expectQuiet(host: CardHost): void {
    for (const visitor of visitors) visitor.expectNoErrors();
    expect(host.requests).toEqual([]);
  }

  it("shows what changes and what to beware of, and commits it", async () => {
    const host = await open("update_event_details", details({ venue: "Hall 2", end_time: "2031-05-09T20:00:00Z" }));
    const text = await textOf(host);
    expect(text).toContain("Update an event's details");
    expect(text).toContain("Test Event");
    expect(text).toContain("Venue from empty to Hall 2");
    expect(text).toContain("End time from Thu 1 May 2031, 21:00, Lisbon time to Fri 9 May 2031, 21:00, Lisbon time");
    await host.view
      .getByRole("region", { name: "Warnings" })
      .getByText(/8 days|hours/)
      .waitFor();
    await expectAccessibleCards(visitors);
    await reason(host).fill("The board agreed");
    await confirm(host);
    await shows(host, "The change was made");
    expect(await venue()).toBe("Hall 2");
    const [record] = await service.db.query<{ id: string; reason: string; via: string }>(
      sql`select id, reason, via from mutation_records where event_id = ${fixture.eventId}`,
    );
    expect(record).toMatchObject({ reason: "The board agreed", via: "key" });
    await shows(host, record?.id ?? "");
    expect(await host.view.getByRole("button").count()).toBe(0);
    await expect.poll(() => host.callsOf("ui/update-model-context").length).toBe(1);
    expect(host.callsOf("ui/update-model-context")[0]).toEqual({
      content: [{ type: "text", text: expect.stringContaining(`record_id ${record?.id}`) }],
      structuredContent: { tool: "update_event_details", dry_run: false, record_id: record?.id },
    });
    expect(host.callsOf("ui/message")).toEqual([]);
    await expectAccessibleCards(visitors);
    expectQuiet(host);
  });

  it("introduces itself as the extension demands, and reports its size", async () => {
    const host = await open("update_event_details", details({ venue: "Hall 2" }));
    const [first, second] = host.heard;
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
    await expect.poll(() => host.callsOf("ui/notifications/size-changed").at(-1)?.height).toBeGreaterThan(200);
    await host.send({ jsonrpc: "2.0", id: 70, method: "ping" });
    await host.send({ jsonrpc: "2.0", id: 71, method: "ui/resource-teardown", params: {} });
    await host.send({ jsonrpc: "2.0", id: 72, method: "sampling/createMessage", params: {} });
    const responseTo = (id: number) => () => host.heard.find((message) => message.id === id);
    await expect.poll(responseTo(70)).toEqual({ jsonrpc: "2.0", id: 70, result: {} });
    await expect.poll(responseTo(71)).toEqual({ jsonrpc: "2.0", id: 71, result: {} });
    await expect.poll(responseTo(72)).toMatchObject({ error: { code: -32601 } });
    expectQuiet(host);
  });

  it("asks for a reason, and takes over the one that the model gave", async () => {
    const host = await open("update_event_details", details({ venue: "Hall 2" }));
    await confirm(host);
    await shows(host, "Say why in at least 3 characters.");
    expect(await reason(host).evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await expectAccessibleCards(visitors);
    await reason(host).fill("  x ");
    await confirm(host);
    expect(host.callsOf("tools/call")).toEqual([]);
    await reason(host).fill("Bigger \u202e room");
    await confirm(host);
    await shows(host, "The change was not made");
    await shows(host, /reason: .*U\+202E/);
    expect(await reason(host).inputValue()).toBe("Bigger \u202e room");
    expect(await venue()).toBeNull();
    await reason(host).fill("Bigger room");
    await confirm(host);
    await shows(host, "The change was made");
    expect(await venue()).toBe("Hall 2");
    const given = await open("update_event_details", details({ venue: "Hall 3", reason: "The other hall is booked" }));
    expect(await reason(given).inputValue()).toBe("The other hall is booked");
    expectQuiet(given);
  });

  it("commits once, however often it is confirmed", async () => {
    let pass: (() => void) | undefined;
    const isHeld = new Promise<void>((resolve) => {
      pass = resolve;
    });
    const callTool: HostOptions["callTool"] = async (_params, send) => {
      await isHeld;
      return send();
    };
    const host = await open("add_event_speaker", details({ name: "Ada Lovelace", reason: "She agreed" }), { callTool });
    const button = host.view.getByRole("button");
    await button.dblclick();
    await host.view.getByRole("button", { name: "Confirming…" }).click({ force: true });
    expect(host.callsOf("tools/call")).toHaveLength(1);
    pass?.();
    await shows(host, "The change was made");
    expect(host.callsOf("tools/call")).toHaveLength(1);
    const speakers = await service.db.query(sql`
      select from speakers where event_id = ${fixture.eventId} and name = 'Ada Lovelace'`);
    expect(speakers).toHaveLength(1);
    expectQuiet(host);
  });

  it("shows the new preview after a conflict, and asks again", async () => {
    const host = await open("update_event_details", details({ venue: "Hall 2", reason: "Bigger room" }));
    await service.db.query(sql`update events set venue = 'Roof terrace' where id = ${fixture.eventId}`);
    await confirm(host);
    await shows(host, "This was changed meanwhile");
    expect(await textOf(host)).toContain("Venue from Roof terrace to Hall 2");
    expect(await textOf(host)).toContain("Test Event");
    expect(await venue()).toBe("Roof terrace");
    expect(host.callsOf("ui/update-model-context")).toEqual([]);
    await expectAccessibleCards(visitors);
    await confirm(host);
    await shows(host, "The change was made");
    expect(await venue()).toBe("Hall 2");
    expectQuiet(host);
  });

  it("finds out what happened when no response arrived, with the same commit", async () => {
    let calls = 0;
    const callTool: HostOptions["callTool"] = async (_params, send) => {
      const result = await send();
      if (calls++ === 0) throw new Error("connection lost");
      return result;
    };
    const host = await open("add_event_speaker", details({ name: "Ada", reason: "She agreed" }), { callTool });
    await confirm(host);
    await shows(host, "No response arrived");
    await shows(host, /connection lost\. The change may have been made/);
    expect(await reason(host).getAttribute("readonly")).toBe("");
    await host.view.getByRole("button", { name: "Confirm again" }).click();
    await shows(host, "The change was made");
    const [first, second] = host.callsOf("tools/call");
    expect(second).toEqual(first);
    const speakers = await service.db.query(sql`select from speakers where event_id = ${fixture.eventId}`);
    expect(speakers).toHaveLength(4);
    expectQuiet(host);
  });

  it("previews again what was confirmed before with another reason", async () => {
    const args = details({ venue: "Hall 2" });
    const result = await client.callTool({ name: "update_event_details", arguments: args });
    for (const said of ["First reason", "Another reason"]) {
      const host = await open("update_event_details", args, { result });
      await reason(host).fill(said);
      await confirm(host);
      if (said === "First reason") await shows(host, "The change was made");
      else {
        await shows(host, "The change was not made");
        await shows(host, /idempotency_key/);
        await expectAccessibleCards(visitors);
        await host.view.getByRole("button", { name: "Preview again" }).click();
        await shows(host, "Nothing to change");
        expect(await host.view.getByRole("button").count()).toBe(0);
      }
      expectQuiet(host);
    }
  });
});
