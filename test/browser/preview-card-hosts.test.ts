import type { Client } from "@modelcontextprotocol/client";
import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import pLimit from "p-limit";
import sql from "sql-template-tag";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { addStaff, createEventFixture, type EventFixture, type StaffFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { exampleInputs } from "../support/tool-examples.js";
import { toolPermissions } from "../support/tool-permissions.js";
import {
  allCapabilities,
  type CardHost,
  connectClient,
  expectAccessibleCards,
  type HostOptions,
  openView,
  type RpcMessage,
  readView,
  showCard,
} from "./card-host.js";
import { type BrowserService, startBrowserService, type Visitor, withBrowser } from "./support.js";

type CSSStyle = { getPropertyValue(name: string): string };

withBrowser("the preview card in its host", { timeout: 120_000 }, () => {
  let service: BrowserService;
  let fixture: EventFixture & StaffFixture;
  let client: Client;
  const visitors: Visitor[] = [];

  beforeAll(async () => {
    service = await startBrowserService();
  }, 60_000);
  afterAll(() => service.close());

  beforeEach(async () => {
    const event = await createEventFixture(service.db);
    fixture = { ...event, ...(await addStaff(service.db, event)) };
    const { organizationId, caller } = fixture;
    const key = await makerOn(service.db).organizationKey(organizationId, { userId: caller.userId });
    client = await connectClient(service.url, key);
  });

  afterEach(async () => {
    for (const { context } of visitors.splice(0)) await context.close();
    await client.close();
  });

  async function visit(size?: "phone"): Promise<Visitor> {
    const visitor = await service.visit(size === undefined ? {} : { size });
    visitors.push(visitor);
    return visitor;
  }

  async function open(name: string, args: object, options?: HostOptions & { size?: "phone" }): Promise<CardHost> {
    const host = await showCard(await visit(options?.size), client, { name, arguments: args }, options);
    await host.view.getByRole("heading", { level: 1 }).waitFor();
    return host;
  }

  const details = (more: object) => ({ event_id: fixture.eventId, ...more });
  const shows = (host: CardHost, text: string | RegExp) => host.view.getByText(text).first().waitFor();
  const textOf = async (host: CardHost) => (await host.view.getByRole("main").innerText()).replaceAll(/\s+/g, " ");
  const changing = toolPermissions.filter(({ effect }) => effect !== "reads").map(({ name }) => name);

  function expectQuiet(host: CardHost): void {
    for (const visitor of visitors) visitor.expectNoErrors();
    expect(host.requests).toEqual([]);
  }

  it("shows and commits every tool that changes something, without ids and JSON", async () => {
    const commit = async (name: string) => {
      const event = await createEventFixture(service.db);
      const staff = await addStaff(service.db, event);
      const key = await makerOn(service.db).organizationKey(event.organizationId, { userId: event.caller.userId });
      const own = await connectClient(service.url, key);
      const visitor = await service.visit();
      const args = { ...exampleInputs[name]?.({ ...event, ...staff }), reason: "for the test" };
      const host = await showCard(visitor, own, { name, arguments: args });
      const button = host.view.getByRole("button", { name: "Confirm" });
      await button.waitFor();
      // A slug is what a person would type; those of the fixture are random.
      const text = (await textOf(host)).replaceAll(/(Slug:|name) [0-9a-f-]{36}/g, "");
      expect(text, name).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|[{}]|\[object|undefined|null/);
      await button.click();
      await shows(host, "The change was made");
      expect(await textOf(host), name).toMatch(/Record [0-9a-f-]{36}$/);
      visitor.expectNoErrors();
      expect(host.requests, name).toEqual([]);
      await visitor.context.close();
      await own.close();
    };
    const limit = pLimit(4);
    await Promise.all(changing.map((name) => limit(() => commit(name))));
  });

  it("shows drawings of posters, in full height", async () => {
    const args = details({ templates: ["headline", "editorial", "lineup"], format: "portrait" });
    for (const size of [undefined, "phone"] as const) {
      const host = await open("generate_event_poster_draft", args, size === undefined ? {} : { size });
      const images = host.view.getByRole("img");
      expect(await images.count()).toBe(3);
      for (const image of await images.all()) {
        expect(await image.getAttribute("alt")).toMatch(/^Poster of Harbour Works for “Test Event”/);
        expect(await image.getAttribute("src")).toMatch(/^data:image\/webp;base64,/);
        const width = () => image.evaluate((drawn) => (drawn as unknown as { naturalWidth: number }).naturalWidth);
        await expect.poll(width).toBe(240);
      }
      const hidden = () =>
        host.view.locator("html").evaluate((html) => {
          const { scrollHeight, clientHeight } = html as unknown as { scrollHeight: number; clientHeight: number };
          return scrollHeight - clientHeight;
        });
      await expect.poll(hidden).toBe(0);
      await expectAccessibleCards(visitors);
      expectQuiet(host);
      for (const { context } of visitors.splice(0)) await context.close();
    }
  });

  it("shows the new drawing after a conflict", async () => {
    const args = details({ template: "headline", format: "square", reason: "For the campaign" });
    const host = await open("generate_event_poster_draft", args);
    const image = host.view.getByRole("img");
    const before = await image.getAttribute("src");
    await service.db.query(sql`update events set name = 'Another Evening' where id = ${fixture.eventId}`);
    await host.view.getByRole("button", { name: "Confirm" }).click();
    await shows(host, "This was changed meanwhile");
    expect(await image.getAttribute("alt")).toContain("Another Evening");
    expect(await image.getAttribute("src")).not.toBe(before);
    await host.view.getByRole("button", { name: "Confirm" }).click();
    await shows(host, "The change was made");
    const posters = await service.db.query(sql`
      select title from posters where event_id = ${fixture.eventId} and id <> ${fixture.posterId}`);
    expect(posters).toEqual([{ title: "Another Evening" }]);
    expectQuiet(host);
  });

  it("shows hostile names as text, and nothing beyond their place", async () => {
    const hostile = `<img src=x onerror="parent.postMessage('owned','*')"><script>top.owned=1</script>`;
    const reversed = "evil\u202egnp.exe";
    // Written as before such characters were refused.
    await service.db.query(sql`update events set name = ${hostile} where id = ${fixture.eventId}`);
    await service.db.query(
      sql`update registrations set name = ${reversed}, email = 'a@b.example' where id = ${fixture.registrationIds.pending}`,
    );
    const host = await open("approve_event_registration", {
      event_id: fixture.eventId,
      registration_id: fixture.registrationIds.pending,
    });
    const text = await textOf(host);
    expect(text).toContain(hostile);
    expect(text).toContain("evil[U+202E]gnp.exe, a@b.example");
    expect(text).not.toContain("\u202e");
    expect(await host.view.getByRole("img").count()).toBe(0);
    expect(await host.view.locator("main script, main img, main a").count()).toBe(0);
    const direction = await host.view.getByText("evil[").evaluate((found) => found.tagName);
    expect(direction).toBe("BDI");
    await host.view.getByLabel("Reason").fill("A guest of the speaker");
    await host.view.getByRole("button", { name: "Confirm" }).click();
    await shows(host, "The change was made");
    expect(JSON.stringify(host.callsOf("ui/update-model-context"))).not.toContain("onerror");
    expect(host.heard.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    expectQuiet(host);
  });

  it("lists the guests of a batch by name, many of them on demand", async () => {
    await service.db.query(sql`
      insert into registrations (event_id, name, email, status)
      select ${fixture.eventId}, 'Guest ' || n, n || '@many.example', 'pending' from generate_series(1, 30) n`);
    const filter = { status: "pending", email_domain: "many.example" };
    const host = await open("batch_update_event_registrations", details({ action: "approve", filter }));
    await shows(host, "30 of 30 change.");
    expect(await host.view.getByRole("listitem").count()).toBe(10);
    await host.view.getByText("20 more").click();
    expect(await host.view.getByRole("listitem").count()).toBe(30);
    expect(await textOf(host)).toContain("Guest 7: pending → approved");
    await expectAccessibleCards(visitors);
    expectQuiet(host);
  });

  it("leaves the confirmation to the conversation where the host passes no calls on", async () => {
    const host = await open("update_event_details", details({ venue: "Hall 2" }), { capabilities: {} });
    await shows(host, "Not confirmed yet");
    expect(await host.view.getByRole("button").count()).toBe(0);
    expect(await host.view.getByRole("textbox").count()).toBe(0);
    expectQuiet(host);
  });

  it("commits long arguments from the call, and only those", async () => {
    const description = "A long evening. ".repeat(60);
    const capabilities = { serverTools: {}, message: { text: {} } };
    const host = await open("update_event_details", details({ description, reason: "New text" }), { capabilities });
    await host.view.getByRole("button", { name: "Confirm" }).click();
    await shows(host, "The change was made");
    expect(host.callsOf("tools/call")[0].arguments).toMatchObject({ description, dry_run: false, confirm: true });
    // A host without a context for the model takes a message.
    const content = [{ type: "text", text: expect.stringContaining("Do not commit it again.") }];
    await expect.poll(() => host.callsOf("ui/message")).toEqual([{ role: "user", content }]);
    expect(host.callsOf("ui/update-model-context")).toEqual([]);
    const result = await client.callTool({
      name: "update_event_details",
      arguments: details({ description: description.toUpperCase() }),
    });
    const without = await showCard(
      await visit(),
      client,
      { name: "update_event_details", arguments: undefined },
      { result },
    );
    await shows(without, "Not confirmed yet");
    expectQuiet(without);
  });

  it("shows what the model has committed, what was refused and what was cancelled, without a button", async () => {
    const args = details({ venue: "Hall 2" });
    const preview = await client.callTool({ name: "update_event_details", arguments: args });
    const { commit_with } = preview.structuredContent as { commit_with: object };
    const committed = await open("update_event_details", { ...args, ...commit_with, reason: "by the model" });
    await shows(committed, "The change was made");
    expect(await textOf(committed)).toMatch(/Test Event.* Venue Hall 2 Record [0-9a-f-]{36}$/);
    const refused = await open("update_event_details", details({ venu: "Hall 2" }), {
      context: { toolInfo: { tool: { name: "update_event_details", inputSchema: { type: "object" } } } },
    });
    expect(await textOf(refused)).toBe(
      "Update event details This change is not possible venu: unknown field, did you mean venue?",
    );
    const cancelled = await open("update_event_details", args, { isCancelled: true });
    await shows(cancelled, "Nothing was changed.");
    for (const host of [committed, refused, cancelled]) {
      expect(await host.view.getByRole("button").count()).toBe(0);
      expectQuiet(host);
    }
    await expectAccessibleCards(visitors);
  });

  it("takes over theme and colours of the host, also later, and none that would be illegible", async () => {
    const variables = {
      "--color-background-primary": "light-dark(#f0f8ff, #001020)",
      "--color-text-primary": "light-dark(#102030, #e0f0ff)",
      "--color-background-inverse": "#00ff00",
      "--font-sans": "monospace",
    };
    const host = await open("update_event_details", details({ venue: "Hall 2" }), {
      context: { theme: "dark", styles: { variables } },
    });
    const styleOf = (selector: string, name: string) =>
      host.view.locator(selector).evaluate((found, property) => {
        const page = globalThis as unknown as { getComputedStyle(of: unknown): CSSStyle };
        return page.getComputedStyle(found).getPropertyValue(property);
      }, name);
    expect(await styleOf("html", "background-color")).toBe("rgb(0, 16, 32)");
    expect(await styleOf("html", "color")).toBe("rgb(224, 240, 255)");
    expect(await styleOf("html", "font-family")).toBe("monospace");
    // Its text colour is missing.
    expect(await styleOf(".primary", "background-color")).toBe("rgb(148, 178, 255)");
    await host.tell("ui/notifications/host-context-changed", { theme: "light" });
    await expect.poll(() => styleOf("html", "background-color")).toBe("rgb(240, 248, 255)");
    expectQuiet(host);
  });

  it("works in the host of the extension's own package", async () => {
    const args = details({ venue: "Hall 2", reason: "Bigger room" });
    const name = "update_event_details";
    const [html, result] = await Promise.all([
      readView(client, "ui://event-platform/preview-card"),
      client.callTool({ name, arguments: args }),
    ]);
    const bridge = new AppBridge(client, { name: "bridge", version: "1" }, allCapabilities);
    const context: unknown[] = [];
    bridge.onupdatemodelcontext = async (params) => {
      context.push(params);
      return {};
    };
    const initialized = new Promise<void>((resolve) => {
      bridge.oninitialized = () => resolve();
    });
    const sizes: unknown[] = [];
    bridge.onsizechange = (size) => sizes.push(size);
    const problems: Error[] = [];
    bridge.onerror = (error) => problems.push(error);
    const transport: Parameters<AppBridge["connect"]>[0] = {
      start: async () => {},
      close: async () => {},
      send: (message) => opened.send(message as RpcMessage),
    };
    const opened = await openView(await visit(), html, (message) => transport.onmessage?.(message as never));
    await bridge.connect(transport);
    await initialized;
    expect(bridge.getAppVersion()).toMatchObject({ name: "event-platform-preview-card" });
    await bridge.sendToolInput({ arguments: args });
    await bridge.sendToolResult(result as Parameters<AppBridge["sendToolResult"]>[0]);
    await opened.view.getByRole("button", { name: "Confirm" }).click();
    await opened.view.getByText("The change was made").first().waitFor();
    await expect.poll(() => context.length).toBe(1);
    expect(sizes.length).toBeGreaterThan(0);
    expect(await bridge.teardownResource({})).toEqual({});
    expect(problems).toEqual([]);
    const [event] = await service.db.query(sql`select venue from events where id = ${fixture.eventId}`);
    expect(event).toEqual({ venue: "Hall 2" });
    for (const visitor of visitors) visitor.expectNoErrors();
    expect(opened.requests).toEqual([]);
  });
});
