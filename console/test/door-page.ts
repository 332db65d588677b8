import { randomUUID } from "node:crypto";
import { within } from "@testing-library/dom";
import sql from "sql-template-tag";
import { expect, vi } from "vitest";
import type { Database } from "../../src/infra/database/db.js";
import type { Page, Pages } from "./pages.ts";

type Guest = { name: string; status?: string; ticket_type?: string; checked_in_at?: string };

/** The door of an event in Tokyo, opened by Dora Keeper. */
export async function openDoor({ service, make, open }: Pages, guests: Guest[]) {
  const organizationId = await make.organization("Harbour Works");
  const eventId = await make.event(await make.conference(), { hosts: [organizationId] });
  await service.db.query(sql`update events set timezone = 'Asia/Tokyo' where id = ${eventId}`);
  const add = (added: Guest[]) => addGuests(service.db, eventId, added);
  const ids = await add(guests);
  const signIn = async (name: string) => {
    const userId = await make.member(organizationId, "member");
    await service.db.query(sql`update users set name = ${name} where id = ${userId}`);
    return service.signIn(userId);
  };
  const cookie = await signIn("Dora Keeper");
  const page = await open(`/o/${organizationId}/events/${eventId}/door`, cookie);
  await page.findByText("Up to date");
  const other = await signIn("Ines First");
  return {
    ...page,
    ...doorActions(page),
    signIn,
    cookie,
    /** Another device checks a guest in. */
    checkInElsewhere: (guest: string) =>
      service.change(organizationId, other, "set_event_registration_check_in", {
        event_id: eventId,
        registration_id: ids[guest],
        checked_in: true,
      }),
    codeOf: async (guest: string) => {
      const path = `organizations/${organizationId}/events/${eventId}/guests/${ids[guest]}/code`;
      return (await service.get(path, cookie)).json.code as string;
    },
    limit: async (capacity: number) =>
      void (await service.db.query(sql`update events set capacity = ${capacity} where id = ${eventId}`)),
    addGuests: async (more: Guest[]) => void Object.assign(ids, await add(more)),
    arrivals: async () => {
      const rows = await service.db.query<{ name: string }>(sql`
        select name from registrations where event_id = ${eventId} and checked_in_at is not null order by checked_in_at`);
      return rows.map(({ name }) => name);
    },
    reasons: async () => {
      const rows = await service.db.query<{ reason: string }>(
        sql`select reason from mutation_records where event_id = ${eventId} order by at`,
      );
      return rows.map(({ reason }) => reason);
    },
  };
}

function doorActions(page: Page) {
  const { user } = page;
  return {
    find: async (text: string) => {
      const field = page.getByRole("searchbox");
      await page.fill(field, text.replace("{Enter}", ""));
      if (text.endsWith("{Enter}")) await user.keyboard("{Enter}");
      await page.findByText(/^(Found$|Nobody on this device)/);
    },
    verdict: async (title: string) => within(await page.findByRole("alertdialog", { name: title })),
    next: async () => {
      await user.click(await page.findByRole("button", { name: "Next guest" }));
      await expect.poll(() => page.queryByRole("alertdialog")).toBeNull();
    },
    counts: (text: string) =>
      page.findByText((_text, element) => element?.tagName === "P" && element.textContent === text),
  };
}

async function addGuests(db: Database, eventId: string, guests: Guest[]): Promise<Record<string, string>> {
  const rows = guests.map((guest) => ({ id: randomUUID(), status: "approved", ticket_type: null, ...guest }));
  await db.query(sql`
    insert into registrations (id, event_id, name, email, status, ticket_type, checked_in_at)
    select (g->>'id')::uuid, ${eventId}, g->>'name', (g->>'id') || '@example.com', g->>'status', g->>'ticket_type',
      (g->>'checked_in_at')::timestamptz
    from jsonb_array_elements(${JSON.stringify(rows)}) given (g)`);
  return Object.fromEntries(rows.map(({ name, id }) => [name, id]));
}

/** No request of the page arrives until the returned function is called. */
export function cutConnection(): () => void {
  const connected = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    // What has a whole address is a request of the test itself.
    if (URL.canParse(String(input))) return connected(input, init);
    throw new TypeError("fetch failed");
  };
  window.dispatchEvent(new Event("offline"));
  return () => {
    globalThis.fetch = connected;
    window.dispatchEvent(new Event("online"));
  };
}

/** Somebody signs in in another window of the same browser, and comes back. */
export async function signInElsewhere(url: string, cookie: string): Promise<void> {
  const connected = globalThis.fetch;
  globalThis.fetch = (input, init = {}) => {
    const headers = { ...(init.headers as Record<string, string>), origin: url, cookie };
    return connected(new URL(String(input), url), { ...init, headers });
  };
  window.dispatchEvent(new Event("visibilitychange"));
}

/** A camera whose picture shows what `show` says, how often it was looked at, and whether it was turned off. */
export function showToCamera() {
  let shown = "";
  const [stop, look] = [vi.fn(), vi.fn()];
  const getUserMedia = async () => ({ getTracks: () => [{ stop }] });
  vi.stubGlobal("navigator", Object.create(navigator, { mediaDevices: { value: { getUserMedia } } }));
  vi.spyOn(window.HTMLMediaElement.prototype, "play").mockResolvedValue();
  class BarcodeDetector {
    static getSupportedFormats = async () => ["qr_code"];
    detect = async () => {
      look();
      return shown === "" ? [] : [{ rawValue: shown }];
    };
  }
  vi.stubGlobal("BarcodeDetector", BarcodeDetector);
  const show = (code: string) => {
    shown = code;
  };
  return { show, stop, look };
}
