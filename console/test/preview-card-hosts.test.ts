import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { exampleInputs } from "../../test/support/tool-examples.js";
import { toolPermissions } from "../../test/support/tool-permissions.js";
import { stateOfResult } from "../src/preview-card/card-state.ts";
import { cardElements } from "../src/preview-card/card-view.ts";
import { readResult, type ToolResult } from "../src/preview-card/tool-result.ts";
import { textOf, withCards } from "./card-view.ts";
import { withPages } from "./pages.ts";

const pages = withPages();
const { service } = pages;
const { fixture, client, open } = withCards(pages);

const details = (more: object) => ({ event_id: fixture.eventId, ...more });

describe("a tool that changes something", () => {
  const changing = toolPermissions.filter(({ effect }) => effect !== "reads").map(({ name }) => name);
  const exampleOf = (name: string) => ({ ...exampleInputs[name]?.(fixture), reason: "for the test" });
  /** What its card says, without a window of its own. */
  const textOfCard = (result: ToolResult) => {
    const state = stateOfResult(readResult(result, "Europe/Lisbon"));
    expect(state).toMatchObject({ step: "ready" });
    const actions = { onReason() {}, onConfirm() {}, onPreview() {} };
    const context = { toolName: undefined, reason: "", reasonProblem: undefined, obstacle: undefined, ...actions };
    return cardElements(state, context).map(textOf).join(" ");
  };

  it("is shown without ids and JSON, whichever it is", async () => {
    for (const name of changing) {
      const shown = textOfCard(await client().callTool({ name, arguments: exampleOf(name) }));
      // A slug is what a person would type; those of the fixture are random.
      const text = shown.replaceAll(/(Slug:|name) [0-9a-f-]{36}/g, "");
      expect(text, name).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|[{}]|\[object|undefined|null/);
    }
  });

  it.each(["update_organization_profile", "remove_event_speaker", "batch_update_event_registrations"])(
    "is committed: %s",
    async (name) => {
      const card = await open(name, exampleOf(name));
      await card.confirm();
      await card.says("The change was made");
      expect(card.text()).toMatch(/Record [0-9a-f-]{36}$/);
    },
  );
});

it("shows drawings of posters", async () => {
  const args = details({ templates: ["headline", "editorial", "lineup"], format: "portrait" });
  const card = await open("generate_event_poster_draft", args);
  const images = card.getAllByRole("img");
  expect(images).toHaveLength(3);
  for (const image of images) {
    expect(image.getAttribute("alt")).toMatch(/^Poster of Harbour Works for “Test Event”/);
    expect(image.getAttribute("src")).toMatch(/^data:image\/webp;base64,/);
  }
});

it("shows the new drawing after a conflict", async () => {
  const args = details({ template: "headline", format: "square", reason: "For the campaign" });
  const earlier = [fixture.posterId, fixture.drawnPosterId];
  const card = await open("generate_event_poster_draft", args);
  const before = card.getByRole("img").getAttribute("src");
  await service.db.query(sql`update events set name = 'Another Evening' where id = ${fixture.eventId}`);
  await card.confirm();
  await card.says("This was changed meanwhile");
  expect(card.getByRole("img").getAttribute("alt")).toContain("Another Evening");
  expect(card.getByRole("img").getAttribute("src")).not.toBe(before);
  await card.confirm();
  await card.says("The change was made");
  const posters = await service.db.query(sql`
    select title from posters where event_id = ${fixture.eventId} and id <> all(${earlier})`);
  expect(posters).toEqual([{ title: "Another Evening" }]);
});

it("shows hostile names as text, and nothing beyond their place", async () => {
  const hostile = `<img src=x onerror="parent.postMessage('owned','*')"><script>top.owned=1</script>`;
  const reversed = "evil\u202egnp.exe";
  // Written as before such characters were refused.
  await service.db.query(sql`update events set name = ${hostile} where id = ${fixture.eventId}`);
  await service.db.query(
    sql`update registrations set name = ${reversed}, email = 'a@b.example' where id = ${fixture.registrationIds.pending}`,
  );
  const card = await open("approve_event_registration", details({ registration_id: fixture.registrationIds.pending }));
  expect(card.text()).toContain(hostile);
  expect(card.text()).toContain("evil[U+202E]gnp.exe, a@b.example");
  expect(card.text()).not.toContain("\u202e");
  expect(card.document.querySelectorAll("main script, main img, main a")).toHaveLength(0);
  expect(card.getByText(/^evil\[/).tagName).toBe("BDI");
  await card.giveReason("A guest of the speaker");
  await card.confirm();
  await card.says("The change was made");
  await expect.poll(() => card.callsOf("ui/update-model-context")).toHaveLength(1);
  expect(JSON.stringify(card.callsOf("ui/update-model-context"))).not.toContain("onerror");
  expect(card.heard.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
});

it("lists the guests of a batch by name, many of them on demand", async () => {
  await service.db.query(sql`
    insert into registrations (event_id, name, email, status)
    select ${fixture.eventId}, 'Guest ' || n, n || '@many.example', 'pending' from generate_series(1, 30) n`);
  const filter = { status: "pending", email_domain: "many.example" };
  const card = await open("batch_update_event_registrations", details({ action: "approve", filter }));
  await card.says("30 of 30 change.");
  const [first, rest] = card.getAllByRole("list");
  expect([first?.children.length, rest?.children.length]).toEqual([10, 20]);
  const more = card.getByText("20 more").closest("details");
  expect([more?.open, more?.contains(rest ?? null), more?.contains(first ?? null)]).toEqual([false, true, false]);
  expect(card.text()).toContain("Guest 7: pending → approved");
});

it("leaves the confirmation to the conversation where the host passes no calls on", async () => {
  const card = await open("update_event_details", details({ venue: "Hall 2" }), { capabilities: {} });
  await card.says("Not confirmed yet");
  expect(card.queryByRole("button")).toBeNull();
  expect(card.queryByRole("textbox")).toBeNull();
});

it("commits long arguments, which the result has, whether the host knows those of the call or not", async () => {
  const description = "A long evening. ".repeat(60);
  const capabilities = { serverTools: {}, message: { text: {} } };
  const card = await open("update_event_details", details({ description, reason: "New text" }), { capabilities });
  await card.confirm();
  await card.says("The change was made");
  expect(card.callsOf("tools/call")[0].arguments).toMatchObject({ description, dry_run: false, confirm: true });
  // A host without a context for the model takes a message.
  const content = [{ type: "text", text: expect.stringContaining("Do not commit it again.") }];
  await expect.poll(() => card.callsOf("ui/message")).toEqual([{ role: "user", content }]);
  expect(card.callsOf("ui/update-model-context")).toEqual([]);
  const result = await client().callTool({
    name: "update_event_details",
    arguments: details({ description: description.toUpperCase() }),
  });
  const without = await open("update_event_details", undefined, { result });
  await without.says("Nothing is changed until then");
});

it("shows what the model has committed, what was refused and what was cancelled, without a button", async () => {
  const args = details({ venue: "Hall 2" });
  const preview = await client().callTool({ name: "update_event_details", arguments: args });
  const { commit_with } = preview.structuredContent as { commit_with: object };
  const committed = await open("update_event_details", { ...args, ...commit_with, reason: "by the model" });
  await committed.says("The change was made");
  expect(committed.text()).toMatch(/Test Event.* Venue Hall 2 Record [0-9a-f-]{36}$/);
  const refused = await open("update_event_details", details({ venu: "Hall 2" }), {
    context: { toolInfo: { tool: { name: "update_event_details", inputSchema: { type: "object" } } } },
  });
  expect(refused.text()).toBe(
    "Update event details This change is not possible venu: unknown field, did you mean venue?",
  );
  const cancelled = await open("update_event_details", args, { isCancelled: true });
  await cancelled.says("Nothing was changed.");
  for (const card of [committed, refused, cancelled]) expect(card.queryByRole("button")).toBeNull();
});

it("takes over theme and colours of the host, also later, and none that would be illegible", async () => {
  const variables = {
    "--color-background-primary": "light-dark(#f0f8ff, #001020)",
    "--color-text-primary": "light-dark(#102030, #e0f0ff)",
    "--color-background-inverse": "#00ff00",
    "--font-sans": "monospace",
    color: "red",
  };
  const { document, tell } = await open("update_event_details", details({ venue: "Hall 2" }), {
    context: { theme: "dark", styles: { variables } },
  });
  const { style } = document.documentElement;
  const styleOf = (name: string) => style.getPropertyValue(name);
  expect(styleOf("color-scheme")).toBe("dark");
  expect(styleOf("--color-background-primary")).toBe("light-dark(#f0f8ff, #001020)");
  expect(styleOf("--color-text-primary")).toBe("light-dark(#102030, #e0f0ff)");
  expect(styleOf("--font-sans")).toBe("monospace");
  // Its text colour is missing.
  expect(styleOf("--color-background-inverse")).toBe("");
  expect(styleOf("color")).toBe("");
  await tell("ui/notifications/host-context-changed", { theme: "light" });
  await expect.poll(() => styleOf("color-scheme")).toBe("light");
  expect(styleOf("--font-sans")).toBe("monospace");
});

it("shows times in the zone of the person where there is no event", async () => {
  const args = { record_id: fixture.recordId };
  const card = await open("revert_change", args, { context: { timeZone: "Asia/Tokyo" } });
  await card.says(/Undoes “Update organization branding” of .* Tokyo time/);
});
