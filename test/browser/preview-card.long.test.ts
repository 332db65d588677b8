import type { Client } from "@modelcontextprotocol/client";
import sql from "sql-template-tag";
import { afterEach, beforeEach, expect, it } from "vitest";
import { loadCheckPackage } from "../../bench/support/check-packages.js";
import { allCapabilities, connectClient, type HostOptions, type RpcMessage, readView } from "../support/card-host.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { type CardHost, expectAccessibleCards, openView, showCard } from "./card-host.js";
import { useBrowser, type Visitor, withBrowser } from "./support.js";

/** What is used of the host of the extension's own package. */
type Bridge = {
  onupdatemodelcontext: (params: unknown) => Promise<object>;
  oninitialized: () => void;
  onsizechange: (size: unknown) => void;
  onerror: (error: Error) => void;
  connect(transport: BridgeTransport): Promise<void>;
  getAppVersion(): unknown;
  sendToolInput(params: object): Promise<void>;
  sendToolResult(result: object): Promise<void>;
  teardownResource(params: object): Promise<unknown>;
};
type BridgeTransport = {
  start(): Promise<void>;
  close(): Promise<void>;
  send(message: RpcMessage): Promise<void>;
  onmessage?: (message: unknown) => void;
};

type CSSStyle = { getPropertyValue(name: string): string };

/** What needs a browser: the sandboxed frame, its policy, looks and sizes. The rest: console/test/preview-card*.test.ts. */
withBrowser("the preview card", () => {
  const service = useBrowser();
  let fixture: EventFixture;
  let client: Client;
  let visitors: Visitor[];

  beforeEach(async () => {
    visitors = [];
    fixture = await createEventFixture(service.db);
    const { organizationId, caller } = fixture;
    const key = await makerOn(service.db).organizationKey(organizationId, { userId: caller.userId });
    client = await connectClient(service.url, key);
  });

  afterEach(() => client.close());

  async function visit(size: "phone" | "desktop" = "desktop"): Promise<Visitor> {
    const visitor = await service.visit({ size });
    visitors.push(visitor);
    return visitor;
  }

  async function open(
    name: string,
    args: object,
    { size, ...options }: HostOptions & { size?: "phone" | "desktop" } = {},
  ): Promise<CardHost> {
    const host = await showCard(await visit(size), client, { name, arguments: args }, options);
    await host.view.getByRole("heading", { level: 1 }).waitFor();
    return host;
  }

  const details = (more: object) => ({ event_id: fixture.eventId, ...more });
  const press = (host: CardHost, name: string) => host.view.getByRole("button", { name }).click();
  const shows = (host: CardHost, text: string | RegExp) => host.view.getByText(text).first().waitFor();

  /** Nothing was loaded, no error was logged, and nothing violated a policy. */
  function expectQuiet(host: CardHost): void {
    for (const visitor of visitors) visitor.expectNoErrors();
    expect(host.requests).toEqual([]);
  }

  it("is accessible before, during and after a commit, and reports its size", async () => {
    const host = await open("update_event_details", details({ venue: "Hall 2", end_time: "2031-05-09T20:00:00Z" }));
    await host.view.getByRole("region", { name: "Warnings" }).waitFor();
    await expect.poll(() => host.callsOf("ui/notifications/size-changed").at(-1)?.height).toBeGreaterThan(200);
    await expectAccessibleCards(visitors);
    await press(host, "Confirm");
    await shows(host, "Say why.");
    const reason = host.view.getByLabel("Reason");
    expect(await reason.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await expectAccessibleCards(visitors);
    await reason.fill("The board agreed");
    await service.db.query(sql`update events set venue = 'Roof terrace' where id = ${fixture.eventId}`);
    await press(host, "Confirm");
    await shows(host, "This was changed meanwhile");
    await expectAccessibleCards(visitors);
    await press(host, "Confirm");
    await shows(host, "The change was made");
    await expectAccessibleCards(visitors);
    expectQuiet(host);
  });

  it("is accessible where nothing can be confirmed", async () => {
    const args = details({ venue: "Hall 2" });
    const result = await client.callTool({ name: "update_event_details", arguments: args });
    const { commit_with } = result.structuredContent as { commit_with: object };
    const committed = await open("update_event_details", { ...args, ...commit_with, reason: "by the model" });
    await shows(committed, "The change was made");
    const late = await open("update_event_details", { ...args, reason: "Another reason" }, { result });
    await press(late, "Confirm");
    await late.view.getByRole("button", { name: "Preview again" }).waitFor();
    const refused = await open("update_event_details", details({ venu: "Hall 2" }));
    await shows(refused, "This change is not possible");
    const cancelled = await open("update_event_details", args, { isCancelled: true });
    await shows(cancelled, "Nothing was changed.");
    await expectAccessibleCards(visitors);
    for (const host of [committed, late, refused, cancelled]) expectQuiet(host);
  });

  it("shows drawings of posters, in full height", async () => {
    const args = details({ templates: ["headline", "editorial", "lineup"], format: "portrait" });
    for (const size of ["desktop", "phone"] as const) {
      const host = await open("generate_event_poster_draft", args, { size });
      const images = host.view.getByRole("img");
      expect(await images.count()).toBe(3);
      for (const image of await images.all()) {
        const width = () => image.evaluate((drawn) => (drawn as unknown as { naturalWidth: number }).naturalWidth);
        await expect.poll(width).toBe(240);
      }
      const hidden = () =>
        host.view.locator("html").evaluate((html) => {
          const { scrollHeight, clientHeight } = html as unknown as { scrollHeight: number; clientHeight: number };
          return scrollHeight - clientHeight;
        });
      await expect.poll(hidden).toBe(0);
      expectQuiet(host);
    }
    await expectAccessibleCards(visitors);
  });

  it("runs and loads nothing of a hostile name", async () => {
    const hostile = `<img src=x onerror="parent.postMessage('owned','*')"><script>top.owned=1</script>`;
    await service.db.query(sql`update events set name = ${hostile} where id = ${fixture.eventId}`);
    const host = await open("update_event_details", details({ venue: "Hall 2", reason: "Bigger room" }));
    await shows(host, hostile);
    await press(host, "Confirm");
    await shows(host, "The change was made");
    expect(host.heard.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
    expectQuiet(host);
  });

  it("is accessible with many guests", async () => {
    await service.db.query(sql`
      insert into registrations (event_id, name, email, status)
      select ${fixture.eventId}, 'Guest ' || n, n || '@many.example', 'pending' from generate_series(1, 30) n`);
    const filter = { status: "pending", email_domain: "many.example" };
    const host = await open("batch_update_event_registrations", details({ action: "approve", filter }));
    await host.view.getByText("20 more").click();
    await shows(host, "Guest 30");
    await expectAccessibleCards(visitors);
    expectQuiet(host);
  });

  it("is drawn in theme and colours of the host, also later", async () => {
    const variables = {
      "--color-background-primary": "light-dark(#f0f8ff, #001020)",
      "--color-text-primary": "light-dark(#102030, #e0f0ff)",
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
    const { AppBridge } = await loadCheckPackage<{ AppBridge: new (...of: unknown[]) => Bridge }>(
      "@modelcontextprotocol/ext-apps/app-bridge",
    );
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
    const transport: BridgeTransport = {
      start: async () => {},
      close: async () => {},
      send: (message) => opened.send(message),
    };
    const opened = await openView(await visit(), html, (message) => transport.onmessage?.(message));
    await bridge.connect(transport);
    await initialized;
    expect(bridge.getAppVersion()).toMatchObject({ name: "event-platform-preview-card" });
    await bridge.sendToolInput({ arguments: args });
    await bridge.sendToolResult(result);
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
