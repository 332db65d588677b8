import sql from "sql-template-tag";
import { expect, it, onTestFinished, vi } from "vitest";
import { createEventFixture } from "../../test/support/event-fixture.js";
import { showToast, toastsNow } from "../src/ui/toast-queue.ts";
import { withPages } from "./pages.ts";

const { service, make, open } = withPages();

const openDashboard = async () => {
  const { organizationId, caller } = await createEventFixture(service.db);
  const page = await open(`/o/${organizationId}`, await service.signIn(caller.userId));
  await page.findAllByRole("link", { name: /^Test Event/ });
  return page;
};

it("moves the focus to the content of a page where it was lost with the one before", async () => {
  const page = await openDashboard();
  const [link] = page.getAllByRole("link", { name: /^Test Event/ });
  await page.user.click(link as HTMLElement);
  await page.findByRole("heading", { level: 1, name: "Test Event" });
  await expect.poll(() => document.activeElement?.id).toBe("main");
});

it("shows nothing of an organization any more to somebody who was removed from it", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const userId = await make.member(organizationId, "member");
  const page = await open(`/o/${organizationId}/activity`, await service.signIn(userId));
  await page.findByRole("heading", { level: 1, name: "Activity" });
  await service.change(organizationId, owner, "remove_member", { user_id: userId });
  await page.findByRole("heading", { level: 1, name: "You are no longer a member of this organization" });
  expect(page.queryByRole("navigation", { name: "Pages" })).toBeNull();
});

it("keeps a message while the focus is in it", async () => {
  const page = await openDashboard();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  showToast("Saved", { action: { label: "Undo", run: () => {} } });
  const undo = await page.findByRole("button", { name: "Undo" });
  const [{ durationMs = 0 } = {}] = toastsNow();
  undo.focus();
  await vi.advanceTimersByTimeAsync(2 * durationMs);
  expect(undo.isConnected).toBe(true);
  undo.blur();
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.poll(() => undo.isConnected).toBe(false);
});

it.each([
  ["keys?create=true", "Create an API key"],
  ["members?invite=true", /^Invite somebody to/],
  ["apps", undefined],
])("leads from the former address %s to the settings", async (path, dialog) => {
  const { organizationId, caller } = await createEventFixture(service.db);
  const [{ slug } = { slug: "" }] = await service.db.query<{ slug: string }>(
    sql`select slug from organizations where id = ${organizationId}`,
  );
  const page = await open(`/o/${slug}/${path}`, await service.signIn(caller.userId));
  await expect.poll(() => page.path()).toBe(`/o/${slug}/settings/${path}`);
  if (dialog !== undefined) await page.dialog(dialog);
  const parts = await page.findByRole("navigation", { name: "Settings", hidden: true });
  expect(parts.querySelectorAll("[aria-current=page]")).toHaveLength(1);
});
