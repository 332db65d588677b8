import { expect } from "vitest";
import { createRunOfShow, evening, type FixtureSegment, storedTimes } from "../../test/support/run-of-show-fixture.js";
import { type Page, type Pages, withPages } from "./pages.ts";

/** The run of show of an event, for its owner or a member of its organization. */
export type RunOfShowPage = {
  page: Page;
  eventId: string;
  /** The box in the timeline, once it can be moved. */
  segment(title: string): Promise<HTMLElement>;
  stored(): Promise<Record<string, string>>;
  /** Presses the button of the dialog with this name, and waits until the change is made. */
  confirm(dialog: string, label: string): Promise<void>;
  /** Takes back what was saved last. */
  undo(): Promise<void>;
};

type Options = { segments?: FixtureSegment[]; role?: "owner" | "member" };

export function withRunOfShow(): Pages & { openRunOfShow(options?: Options): Promise<RunOfShowPage> } {
  const pages = withPages();
  const { service, make } = pages;
  return {
    ...pages,
    async openRunOfShow({ segments = evening, role = "owner" } = {}) {
      const { organizationId, eventId, ownerId, path } = await createRunOfShow(service.db, segments);
      const userId = role === "owner" ? ownerId : await make.member(organizationId, role);
      const page = await pages.open(path, await service.signIn(userId));
      await page.findByRole("heading", { name: /Run of show|Nothing is planned yet/ });
      return {
        page,
        eventId,
        segment: (title) =>
          page.findByRole("button", { name: new RegExp(`^${title}, `), description: /^Arrow up and down move/ }),
        stored: () => storedTimes(service.db, eventId),
        async confirm(dialog, label) {
          await page.dialog(dialog);
          await page.press(label);
          await expect.poll(() => page.queryByRole("dialog")).toBeNull();
        },
        undo: page.undo,
      };
    },
  };
}
