import encodeQR from "qr";
import sql from "sql-template-tag";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type GuestWorld, startGuestWorld } from "./guests-support.js";
import { expectAccessible, type Visitor, withBrowser } from "./support.js";

/** A script for the page whose camera shows a guest code. */
const cameraThatShows = (modules: boolean[][]) => `
  const modules = ${JSON.stringify(modules)};
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
    const drawing = canvas.getContext("2d");
    setInterval(() => {
      drawing.fillStyle = "#ddd";
      drawing.fillRect(0, 0, 640, 480);
      for (const [y, row] of modules.entries()) {
        for (const [x, isDark] of row.entries()) {
          drawing.fillStyle = isDark ? "#111" : "#fff";
          drawing.fillRect(180 + x * 8, 90 + y * 8, 8, 8);
        }
      }
    }, 50);
    return canvas.captureStream(20);
  };`;

withBrowser("the door", () => {
  let world: GuestWorld;

  beforeAll(async () => {
    world = await startGuestWorld();
    await world.addGuests([
      ...["Ana Almeida", "Beatriz Brandão", "Carlos Çelik", "Dana Dvořák", "Eva Ekström", "Filip Fišer"].map(
        (name) => ({
          name,
          ticket_type: "Standard",
        }),
      ),
      { name: "Petra Pending", status: "pending" },
    ]);
  });
  afterAll(() => world?.close());

  async function openDoor(cookie: string): Promise<Visitor & { find(text: string): Promise<void> }> {
    const visitor = await world.service.visit({ size: "phone", cookie });
    await visitor.page.goto(`${world.path}/door`);
    await visitor.page.getByText("Up to date").waitFor();
    return { ...visitor, find: (text) => visitor.page.getByRole("searchbox").fill(text) };
  }

  it("says that the guests could not be loaded, and tries again", async () => {
    const { page } = await world.service.visit({ size: "phone", cookie: await world.signIn("member") });
    await page.route("**/api/console/organizations/**", (route) => route.fulfill({ status: 500, json: {} }));
    await page.goto(`${world.path}/door`);
    await page.getByText("This could not be loaded").waitFor();
    await page.getByText("Not loaded").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Up to date").waitFor();
    await page.context().close();
  });

  const next = (visitor: Visitor) => visitor.page.getByRole("button", { name: "Next guest" }).click();

  it("checks in with a search and one tap, warns of duplicates, refuses, and undoes", async () => {
    const cookie = await world.signIn("member");
    const door = await openDoor(cookie);
    const { page } = door;
    await expectAccessible(page);
    await door.find("brandao");
    await page.getByRole("button", { name: /Beatriz Brandão/ }).click();
    await page.getByRole("alertdialog", { name: "Welcome" }).getByText("Beatriz Brandão").waitFor();
    await expectAccessible(page);
    await next(door);
    expect(await world.arrivals()).toEqual(["Beatriz Brandão"]);
    await page.getByText("1 of 6 in").waitFor();

    await door.find("brandao");
    await page
      .getByRole("button", { name: /Beatriz Brandão/ })
      .last()
      .click();
    await page
      .getByRole("alertdialog", { name: "Already checked in" })
      .getByText(/Checked in at \d\d:\d\d by Dora Keeper/)
      .waitFor();
    await expectAccessible(page);
    await next(door);

    await door.find("petra");
    await page.getByRole("button", { name: /Petra Pending/ }).click();
    await page.getByRole("alertdialog", { name: "Not approved" }).waitFor();
    await expectAccessible(page);
    await next(door);

    await page.getByRole("button", { name: "Undo the check-in of Beatriz Brandão" }).click();
    await expect.poll(world.arrivals).toEqual([]);
    await page.getByText("0 of 6 in").waitFor();
    door.expectNoErrors();
    await page.context().close();
  });

  it("goes on without a connection, over a reload, and sends everything when it is back", async () => {
    const cookie = await world.signIn("member");
    const door = await openDoor(cookie);
    const { page, context } = door;
    // What the page needs to start without a connection is kept in the background.
    await expect
      .poll(() =>
        page.evaluate<number>("caches.open('door').then((cache) => cache.keys()).then(({ length }) => length)"),
      )
      .toBeGreaterThan(3);
    door.expectNoErrors();
    await context.setOffline(true);
    await door.find("carlos");
    await page.getByRole("button", { name: /Carlos Çelik/ }).click();
    await page.getByText("Checked in on this device, sent when there is a connection").waitFor();
    await next(door);
    await page.getByText("Offline · 1 waiting").waitFor();
    await expectAccessible(page);

    await page.reload();
    await page.getByText("Offline · 1 waiting").waitFor();
    await door.find("dvorak");
    await page.getByRole("button", { name: /Dana Dvořák/ }).click();
    await next(door);
    await page.getByText("Offline · 2 waiting").waitFor();
    expect(await world.arrivals()).toEqual([]);

    await context.setOffline(false);
    await page.getByText("Up to date").waitFor();
    await expect.poll(world.arrivals).toEqual(["Carlos Çelik", "Dana Dvořák"]);
    await page.getByText("2 of 6 in").waitFor();
    await context.close();
  });

  it("shows devices each other, and reports a guest whom two of them checked in", async () => {
    const first = await openDoor(await world.signIn("member", "Ines First"));
    const second = await openDoor(await world.signIn("member", "Sara Second"));
    await first.find("eva");
    await first.page.getByRole("button", { name: /Eva Ekström/ }).click();
    await next(first);
    await second.page.getByText("3 of 6 in").waitFor();

    await second.context.setOffline(true);
    await second.find("filip");
    await second.page.getByRole("button", { name: /Filip Fišer/ }).click();
    await next(second);
    await first.find("filip");
    await first.page.getByRole("button", { name: /Filip Fišer/ }).click();
    await next(first);
    await second.context.setOffline(false);
    await second.page.getByRole("button", { name: "1 check-in needs a look" }).click();
    await second.page.getByText(/Already checked in at \d\d:\d\d by Ines First/).waitFor();
    await second.page.getByRole("button", { name: "Done" }).click();
    first.expectNoErrors();
    await first.context.close();
    await second.context.close();
  });

  it("keeps what waits when the session has ended", async () => {
    const cookie = await world.signIn("member");
    const door = await openDoor(cookie);
    await world.service.signOut(cookie);
    await door.find("ana");
    await door.page.getByRole("button", { name: /Ana Almeida/ }).click();
    await next(door);
    await door.page.getByRole("link", { name: "Sign in to send 1" }).waitFor();
    const again = await world.signIn("member");
    await door.context.addCookies([
      { name: "svc_session", value: again.replace("svc_session=", ""), url: world.service.url, httpOnly: true },
    ]);
    await door.page.goto(`${world.path}/door`);
    await expect.poll(world.arrivals).toContain("Ana Almeida");
    await door.context.close();
  });

  it("reads guest codes with the camera", async () => {
    const [id = ""] = await world.addGuests([{ name: "Quentin Code" }]);
    const cookie = await world.signIn("member");
    const base = `/api/console/organizations/${world.path.split("/")[2]}/events/${world.eventId}`;
    const { json } = await world.service.call(`${base}/guests/${id}/code`, { headers: { cookie } });
    const { page, context, expectNoErrors } = await world.service.visit({ size: "phone", cookie });
    await page.addInitScript(cameraThatShows(encodeQR(json.code, "raw", { ecc: "quartile", border: 3 })));
    await page.goto(`${world.path}/door`);
    await page.getByText("Up to date").waitFor();
    await page.getByRole("button", { name: "Scan" }).click();
    await page.getByRole("alertdialog", { name: "Welcome" }).getByText("Quentin Code").waitFor();
    await expect.poll(world.arrivals).toContain("Quentin Code");
    await page.getByRole("button", { name: "Next guest" }).click();
    await expectAccessible(page);
    expectNoErrors();
    await context.close();
  });

  it("keeps no guests on the device after sign-out", async () => {
    const door = await openDoor(await world.signIn("member"));
    const { page, context } = door;
    const storedGuests = () =>
      page.evaluate(`new Promise((resolve) => {
        indexedDB.open("door").onsuccess = ({ target: { result: db } }) => {
          const count = db.transaction("guests").objectStore("guests").count();
          count.onsuccess = () => { db.close(); resolve(count.result); };
        };
      })`);
    expect(await storedGuests()).toBeGreaterThan(0);
    await page.goto("/account");
    await page.getByRole("button", { name: /Dora Keeper/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/sign-in|\/$/);
    expect(await storedGuests()).toBe(0);
    await context.close();
  });

  it("says who checked in, in the record", async () => {
    const records = await world.service.db.query<{ via: string; reason: string }>(
      sql`select via, reason from mutation_records where event_id = ${world.eventId} order by at limit 1`,
    );
    expect(records).toEqual([
      { via: "console", reason: expect.stringMatching(/^Checked in at the door by Dora Keeper, \d\d:\d\d$/) },
    ]);
  });
});
