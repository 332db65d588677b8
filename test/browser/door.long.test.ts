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

  /** The organizer's page at the door, and how a link is made there. */
  async function openAsOrganizer() {
    const visitor = await service.visit({ size: "phone", cookie: await world.signIn("admin", "Sofia Marques") });
    const { page } = visitor;
    await page.goto(`${world.path}/door`);
    await page.getByRole("button", { name: "Door links for volunteers" }).click();
    await page.getByText("No door links yet").waitFor();
    const create = async (name: string) => {
      await page.getByRole("button", { name: "Create door link" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByRole("button", { name: "Create door link" }).click();
      const link = await page.getByText(/\/door#/).innerText();
      const pin = await page.getByText(/^\d{6}$/).innerText();
      await expectAccessible(page);
      await page.getByText("I have stored it").click();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByRole("button", { name: `Revoke ${name}` }).waitFor();
      return { path: `/door${new URL(link).hash}`, pin };
    };
    return { ...visitor, create };
  }

  it("lets volunteers in with a link and its PIN, and keeps what waits when the link has ended", async () => {
    await world.addGuests([{ name: "Vera Volunteered" }]);
    const organizer = await openAsOrganizer();
    await expectAccessible(organizer.page);
    const first = await organizer.create("Main entrance");
    await expectAccessible(organizer.page);
    const volunteer = await service.visit({ size: "phone" });
    const { page, context } = volunteer;
    const open = async ({ path, pin }: { path: string; pin: string }) => {
      await page.goto(path);
      await page.getByLabel("PIN").fill(pin);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Open the door" }).click();
      await page.getByText("Up to date").waitFor();
    };
    await open(first);
    await page.getByText("Door link of Sofia Marques (Main entrance)").waitFor();
    expect(page.url()).toBe(`${service.url}/door`);
    await expectAccessible(page);
    volunteer.expectNoErrors();
    const kept = () => page.evaluate('caches.open("door").then((cache) => cache.match("/door")).then(Boolean)');
    await expect.poll(kept).toBe(true);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole("button", { name: /^Vera Volunteered/ }).click();
    await page.getByRole("button", { name: "Next guest" }).click();
    await page.getByText("Offline · 1 waiting").waitFor();
    await organizer.page.getByRole("button", { name: "Revoke Main entrance" }).click();
    await organizer.page.getByRole("button", { name: "Revoke link" }).click();
    await organizer.page.getByText("No door links yet").waitFor();
    await context.setOffline(false);
    await page.getByText("1 check-in waits on this device").waitFor();
    await expectAccessible(page);
    expect(await world.arrivals()).not.toContain("Vera Volunteered");
    await open(await organizer.create("Side door"));
    await expect.poll(world.arrivals).toContain("Vera Volunteered");
    organizer.expectNoErrors();
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
