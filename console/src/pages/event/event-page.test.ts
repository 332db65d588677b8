import { expect, it } from "vitest";
import type { EventPage } from "../../../../contract/console/event.ts";
import { currentEvent } from "./event-page.ts";

it.each([
  ["owner", true],
  ["admin", true],
  ["member", false],
] as const)("says whether an %s can change the event", (role, canEdit) => {
  const page = { event: { name: "Opening" }, my_role: "co_host", cancelled_at: null } as EventPage;
  const organization = {
    id: "o",
    slug: "harbour",
    name: "Harbour Works",
    logo_url: null,
    brand_primary_color: null,
    visited_at: null,
  };
  const current = currentEvent(page, { ...organization, role });
  expect(current).toMatchObject({ name: "Opening", my_role: "co_host", can_edit: canEdit });
  expect(current.read_only_reason === undefined).toBe(canEdit);
});
