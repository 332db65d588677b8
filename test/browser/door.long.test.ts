import encodeQR from "qr";
import { beforeAll, expect, it } from "vitest";
import { createGuestWorld, type GuestWorld } from "./guests-support.js";
import { expectAccessible, useBrowser, type Visitor, withBrowser } from "./support.js";

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

/** What needs a browser: looks, storage, the camera. What the door does is tested in console/test/door.test.ts. */
withBrowser("the door", () => {
  const service = useBrowser();
  let world: GuestWorld;

  beforeAll(async () => {
    world = await createGuestWorld(service);
    const names = ["Ana Almeida", "Beatriz Brandão", "Carlos Çelik"];
    await world.addGuests([
      ...names.map((name) => ({ name, ticket_type: "Standard" })),
      { name: "Petra Pending", status: "pending" },
    ]);
  });

  async function openDoor(cookie: string) {
    const visitor = await service.visit({ size: "phone", cookie });
    const { page } = visitor;
    await page.goto(`${world.path}/door`);
    await page.getByText("Up to date").waitFor();
    /** Presses the row of a guest. */
    const check = async (guest: string) => {
      await page.getByRole("searchbox").fill(guest);
      await page.getByRole("button", { name: new RegExp(`^${guest}`) }).click();
    };
    return { ...visitor, check };
  }

  const next = ({ page }: Visitor) => page.getByRole("button", { name: "Next guest" }).click();

  it("is accessible whatever it says about a guest, with and without a connection", async () => {
    const door = await openDoor(await world.signIn("member"));
    const { page, context } = door;
    await expectAccessible(page);
    for (const [guest, verdict] of [
      ["Beatriz Brandão", "Welcome"],
      ["Beatriz Brandão", "Already checked in"],
      ["Petra Pending", "Not approved"],
    ] as const) {
      await door.check(guest);
      await page.getByRole("alertdialog", { name: verdict }).waitFor();
      await expectAccessible(page);
      await next(door);
    }
    door.expectNoErrors();
    await context.setOffline(true);
    await door.check("Carlos Çelik");
    await next(door);
    await page.getByText("Offline · 1 waiting").waitFor();
    await expectAccessible(page);
    const other = await openDoor(await world.signIn("member", "Ines First"));
    await other.check("Carlos Çelik");
    await next(other);
    await context.setOffline(false);
    await page.getByRole("button", { name: "1 check-in needs a look" }).click();
    await page.getByText(/Already checked in at \d\d:\d\d by Ines First/).waitFor();
    await expectAccessible(page);
    other.expectNoErrors();
  });

  it("keeps what waits over a load when the session has ended", async () => {
    const cookie = await world.signIn("member");
    const door = await openDoor(cookie);
    const headers = { cookie, origin: service.url };
    await service.call("/api/console/sign-out", { method: "POST", body: {}, headers });
    await door.check("Ana Almeida");
    await next(door);
    await door.page.getByRole("link", { name: "Sign in to send 1" }).waitFor();
    const again = await world.signIn("member");
    await door.context.addCookies([
      { name: "svc_session", value: again.replace("svc_session=", ""), url: service.url, httpOnly: true },
    ]);
    await door.page.goto(`${world.path}/door`);
    await expect.poll(world.arrivals).toContain("Ana Almeida");
  });

  it("reads guest codes with the camera", async () => {
    const [id = ""] = await world.addGuests([{ name: "Quentin Code" }]);
    const cookie = await world.signIn("member");
    const base = `/api/console/organizations/${world.organizationId}/events/${world.eventId}`;
    const { json } = await service.call(`${base}/guests/${id}/code`, { headers: { cookie } });
    const { page, expectNoErrors } = await service.visit({ size: "phone", cookie });
    await page.addInitScript(cameraThatShows(encodeQR(json.code, "raw", { ecc: "quartile", border: 3 })));
    await page.goto(`${world.path}/door`);
    await page.getByText("Up to date").waitFor();
    await page.getByRole("button", { name: "Scan" }).click();
    await page.getByRole("alertdialog", { name: "Welcome" }).getByText("Quentin Code").waitFor();
    await expect.poll(world.arrivals).toContain("Quentin Code");
    await page.getByRole("button", { name: "Next guest" }).click();
    await expectAccessible(page);
    expectNoErrors();
  });

  it("keeps no guests on the device after sign-out", async () => {
    const { page } = await openDoor(await world.signIn("member"));
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
  });
});
