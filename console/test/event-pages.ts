import { waitFor } from "@testing-library/dom";
import { expect } from "vitest";
import { createEventFixture, type EventFixture } from "../../test/support/event-fixture.js";
import { type Page, type Pages, withPages } from "./pages.ts";

export type EventPages = Pages & {
  /** An event with rows of every kind, for one test. */
  newEvent(): Promise<EventFixture>;
  /** Opens a part of the event, such as "/hosts", for the owner of the organization that hosts it. */
  openEvent(fixture: EventFixture, part?: string): Promise<Page>;
};

export function withEventPages(): EventPages {
  const pages = withPages();
  return {
    ...pages,
    newEvent: () => createEventFixture(pages.service.db),
    async openEvent({ organizationId, eventId, caller }, part = "") {
      return pages.open(`/o/${organizationId}/events/${eventId}${part}`, await pages.service.signIn(caller.userId));
    },
  };
}

/** Presses a button of the open dialog, once it can be pressed, and waits until the dialog is gone. */
export async function confirm(page: Page, label: string): Promise<void> {
  const button = await waitFor(() => {
    const found = page.getByRole<HTMLButtonElement>("button", { name: label });
    if (found.closest("[role=dialog]") === null) throw new Error(`No dialog has the button ${label}`);
    if (found.disabled) throw new Error(`The button ${label} is disabled`);
    return found;
  });
  await page.user.click(button);
  await expect.poll(() => button.isConnected).toBe(false);
}

/**
 * Repeats a change, with the number of the attempt, until the page shows it: a page does not learn of what happens before
 * it listens for changes.
 */
export async function untilShown(change: (attempt: number) => Promise<unknown>, isShown: () => boolean): Promise<void> {
  let attempts = 0;
  const attempt = async () => {
    attempts += 1;
    await change(attempts);
    return isShown();
  };
  await expect.poll(attempt, { interval: 500 }).toBe(true);
}
