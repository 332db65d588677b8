import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import sql from "sql-template-tag";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { authorizationPath, newVerifier, register, requestToken } from "../oauth/connecting.js";
import { emailOf } from "../sign-in/sign-in-fixture.js";
import { connectClient } from "../support/card-host.js";
import { createDashboardFixture, type DashboardFixture } from "../support/dashboard-fixture.js";
import { makerOn } from "../support/make.js";
import { showCard } from "./card-host.js";
import { password, setPassword, useBrowser, type Visitor, withBrowser } from "./support.js";

/** What people come for, from the sign-in page to the end, across pages. */
withBrowser("journeys", () => {
  const service = useBrowser();
  let fixture: DashboardFixture;

  beforeEach(async () => {
    fixture = await createDashboardFixture(service.db);
    await setPassword(service.db, fixture.ownerId);
  });

  const fillSignIn = async (page: Page, given = password) => {
    await page.getByLabel("E-mail").fill(await emailOf(service.db, fixture.ownerId));
    await page.getByLabel("Password").fill(given);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
  };
  /** The owner, who is signed in, opens a page. */
  const openSignedIn = async (path: string): Promise<Visitor> => {
    const visitor = await service.visit({ cookie: await service.signIn(fixture.ownerId) });
    await visitor.page.goto(path);
    return visitor;
  };

  it("sign in from the first page, after a wrong password, and sign out", async () => {
    const { page, expectNoErrors } = await service.visit();
    await page.goto("/");
    await page.getByRole("link", { name: "Sign in" }).first().click();
    expectNoErrors();
    await fillSignIn(page, "not the password");
    await page.getByText("The e-mail address or the password is wrong.").waitFor();
    await fillSignIn(page);
    await page.waitForURL(`**/o/${fixture.slug}`);
    await page.getByRole("heading", { level: 1, name: "Harbour Works" }).waitFor();
    await page.getByRole("button", { name: "Account of Ana Silva" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    // A page that needs a session asks for one, and comes after it.
    await page.goto(`/o/${fixture.slug}/activity`);
    await page.getByText("Sign in to continue where you were.").waitFor();
    await fillSignIn(page);
    await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
  });

  it("an invitation, from the link to the first page", async () => {
    const inviter = await openSignedIn(`/o/${fixture.slug}/settings/members`);
    await inviter.page.getByRole("button", { name: "Invite person" }).click();
    const email = `ines-${fixture.organizationId}@example.com`;
    await inviter.page.getByLabel("E-mail").fill(email);
    await inviter.page.getByText("Also changes events, guests and posters").click();
    await inviter.page.getByRole("dialog").getByRole("button", { name: "Invite person" }).click();
    const link = await inviter.page.getByText(/\/invite\/[0-9A-Za-z]{43}$/).innerText();
    await inviter.page.getByText("I have stored it").click();
    await inviter.page.getByRole("button", { name: "Done" }).click();
    await inviter.page.getByRole("row", { name: new RegExp(email) }).waitFor();

    const invited = await service.visit({ size: "phone" });
    await invited.page.goto(link);
    await invited.page.getByRole("heading", { name: "Join Harbour Works" }).waitFor();
    await invited.page.getByLabel("Your name").fill("Inês Duarte");
    await invited.page.getByLabel("Password").fill("short");
    await invited.page.getByRole("button", { name: "Create account and join" }).click();
    await invited.page.getByText("Expected at least 10 characters.").waitFor();
    await invited.page.getByLabel("Password").fill(password);
    await invited.page.getByRole("button", { name: "Create account and join" }).click();
    await invited.page.waitForURL(`**/o/${fixture.slug}`);
    await invited.page.getByRole("heading", { level: 1, name: "Harbour Works" }).waitFor();
    await inviter.page.getByRole("row", { name: /Inês Duarte.*Admin/ }).waitFor();

    const late = await service.visit();
    await late.page.goto(link);
    await late.page.getByText("This link no longer works").waitFor();
    inviter.expectNoErrors();
  });

  it("a key for an agent, whose link arrives on the dashboard; then the key is revoked and refused", async () => {
    const { page, context, expectNoErrors } = await openSignedIn(`/o/${fixture.slug}`);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const watching = await openSignedIn(`/o/${fixture.slug}`);
    const links = watching.page.getByRole("region", { name: "Posted links" });
    await links.getByRole("listitem").first().waitFor();

    await page.getByRole("button", { name: "Search and commands" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox", { name: /^Search events/ }).fill("create k");
    await page.getByRole("menuitem", { name: /^Create key/ }).click();
    const form = page.getByRole("dialog", { name: "Create an API key" });
    await form.getByRole("radio", { name: /Posting agent/ }).waitFor();
    await form.getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("dialog", { name: "“Posting agent” is ready" });
    await shown.getByText("Waiting for the first request…").waitFor();
    const key = await shown.getByText(/^svc_mk_[0-9A-Za-z]{43}$/).innerText();
    await shown.getByRole("button", { name: "Copy key" }).click();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(key);
    await page.keyboard.press("Escape");
    await expect.poll(() => shown.isVisible()).toBe(true);
    expect(await shown.getByRole("button", { name: "Done" }).isEnabled()).toBe(false);

    const address = "https://bsky.app/profile/harbour/post/1";
    const report = () =>
      service.call(`/api/svc/posters/${fixture.posterIds[0]}`, {
        method: "PATCH",
        key,
        body: { posted_urls: { bluesky: address } },
      });
    expect((await report()).status).toBe(200);
    const arrived = links.getByRole("listitem").filter({ has: watching.page.getByRole("link", { name: /^Bluesky/ }) });
    await arrived.waitFor();
    expect(await arrived.getAttribute("data-arrived")).toBe("true");
    watching.expectNoErrors();

    await shown.getByText("The first request has arrived: the key works.").waitFor();
    await shown.getByRole("checkbox", { name: "I have stored it" }).check({ force: true });
    await shown.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /Posting agent/ });
    await row.getByText("just now").waitFor();
    expect(await page.content()).not.toContain(key);

    await row.getByRole("button", { name: "Actions for Posting agent" }).click();
    await page.getByRole("menuitem", { name: "Revoke key" }).click();
    const confirm = page.getByRole("dialog", { name: "Revoke “Posting agent”" });
    await confirm.getByText("is refused from the next request on").waitFor();
    await confirm.getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("heading", { name: "Revoked and expired keys" }).waitFor();
    expect((await report()).status).toBe(401);
    expectNoErrors();
  });

  it("an app, from its request to what it changed and its end", async () => {
    const { verifier, challenge } = newVerifier();
    const app = createServer((_request, response) => response.end("Back in the app")).listen(0, "127.0.0.1");
    onTestFinished(() => void app.close());
    await once(app, "listening");
    const redirect_uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`;
    const client_id = await register(service);
    const { page, expectNoErrors } = await service.visit();
    const request = { client_id, redirect_uri, code_challenge: challenge, resource: undefined };
    await page.goto(authorizationPath(request));
    await page.getByText("Sign in to continue where you were.").waitFor();
    await fillSignIn(page);
    await page.getByRole("heading", { name: "Connect Harbour Agent" }).waitFor();
    await page.getByText("Edit the organization").click();
    await page.getByRole("button", { name: "Connect Harbour Agent" }).click();
    await page.getByText("Back in the app").waitFor();
    const code = new URL(page.url()).searchParams.get("code") ?? "";
    const fields = { grant_type: "authorization_code", code, client_id, redirect_uri };
    const reply = await requestToken(service, { ...fields, code_verifier: verifier });
    expect(reply.json.scope).toBe("org:read events:write registrations:read registrations:write");
    const client = await connectClient(service.url, reply.json.access_token);
    const change = (args: object) =>
      client.callTool({ name: "update_event_details", arguments: { event_id: fixture.eventIds[0], ...args } });
    const preview = (await change({ venue: "Hall 2" })).structuredContent as { commit_with: object };
    await change({ ...preview.commit_with, reason: "The board agreed" });
    await page.goto(`/o/${fixture.slug}/settings/apps`);
    await page.getByRole("row", { name: /Harbour Agent.*Ana Silva/ }).waitFor();
    await page.getByRole("link", { name: "What Harbour Agent changed for Ana Silva" }).click();
    await page.getByText("The board agreed").waitFor();
    await page.getByText("with the app “Harbour Agent”").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Actions for Harbour Agent" }).click();
    await page.getByRole("menuitem", { name: "Disconnect app" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect app" }).click();
    await page.getByRole("heading", { name: "Disconnected apps" }).waitFor();
    await expect(change({ venue: "Hall 3" })).rejects.toThrow();
    expectNoErrors();
  });

  it("do what needs attention: each line leads to where it is done", async () => {
    await service.db.query(sql`
      insert into segments (event_id, title, start_time, duration_minutes, position)
      select id, 'Doors', start_time, 15, 1 from events where id = ${fixture.eventIds[0]}`);
    const { page, expectNoErrors } = await openSignedIn(`/o/${fixture.slug}`);
    const follow = async (name: RegExp) => {
      await page.goto(`/o/${fixture.slug}`);
      const list = page.getByRole("region", { name: "Needs attention" });
      await list.getByRole("link", { name }).first().click();
    };
    await follow(/^Rotate key/);
    await page.getByText("“Poster bot” expires in 6 days").waitFor();
    await follow(/^Review guests of Opening night/);
    await page.getByRole("row", { name: /Guest 4/ }).waitFor();
    expect(await page.getByRole("row", { name: /Guest 5/ }).count()).toBe(0);
    const [eventId] = fixture.eventIds;
    await service.db.query(sql`update registrations set status = 'approved' where event_id = ${eventId}`);
    await follow(/^Open run of show of Opening night/);
    await page.waitForURL(`**/events/${eventId}/run-of-show`);
    await service.db.query(sql`update events set run_of_show_published = true where id = ${eventId}`);
    await follow(/^Share posters of Opening night/);
    await page.getByRole("heading", { level: 2, name: "Posters" }).waitFor();
    expectNoErrors();
  });

  it("switch between organizations", async () => {
    const empty = await makerOn(service.db).organization("Brand New");
    await service.db.query(
      sql`insert into members (organization_id, user_id, role) values (${empty}, ${fixture.ownerId}, 'owner')`,
    );
    // The posters of the fixture: the second is square, the fourth is wide.
    const logos: [string, string | undefined][] = [
      [fixture.organizationId, fixture.posterIds[1]],
      [empty, fixture.posterIds[3]],
    ];
    for (const [organization, poster] of logos) {
      await service.db.query(sql`
        update organizations set logo_url = (select image_url from posters where id = ${poster})
        where id = ${organization}`);
    }
    const { page, expectNoErrors } = await openSignedIn(`/o/${fixture.slug}`);
    const switcher = page.getByRole("button", { name: /: switch organization$/ });
    await switcher.locator("img").waitFor();
    await page.getByRole("link", { name: "Opening night at the harbour", exact: true }).waitFor();
    await switcher.click();
    await page.getByRole("menuitem", { name: /Brand New/ }).click();
    await page.getByRole("heading", { level: 1, name: "Brand New" }).waitFor();
    await switcher.getByText("BN", { exact: true }).waitFor();
    await switcher.locator("img").waitFor();
    expect(await page.getByRole("link", { name: "Opening night at the harbour", exact: true }).count()).toBe(0);
    // The organization used last is the one that opens next time.
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: "Brand New" }).waitFor();
    expectNoErrors();
  });

  it("check guests in at the door, without a connection over a reload, until everything is sent", async () => {
    const event = fixture.eventIds[0];
    const { page, context, expectNoErrors } = await openSignedIn(`/o/${fixture.slug}/events/${event}/door`);
    const checkIn = async (guest: string, state: string) => {
      await page.getByRole("button", { name: new RegExp(`^${guest} `) }).click();
      await page.getByRole("alertdialog", { name: "Welcome" }).getByText(guest, { exact: true }).waitFor();
      await page.getByRole("button", { name: "Next guest" }).click();
      await page.getByText(state).waitFor();
    };
    const checkedIn = sql`select from registrations where event_id = ${event} and checked_in_at is not null`;
    await checkIn("Guest 1", "Up to date");
    // What the page needs to start without a connection is kept in the background.
    const kept = "caches.open('door').then((cache) => cache.keys()).then(({ length }) => length)";
    await expect.poll(() => page.evaluate<number>(kept)).toBeGreaterThan(3);
    expectNoErrors();
    await context.setOffline(true);
    await checkIn("Guest 2", "Offline · 1 waiting");
    await page.reload();
    await checkIn("Guest 3", "Offline · 2 waiting");
    expect(await service.db.query(checkedIn)).toHaveLength(1);
    await context.setOffline(false);
    await page.getByText("Up to date").waitFor();
    expect(await service.db.query(checkedIn)).toHaveLength(3);
  });

  it("confirm what an agent proposes, in the card that its client shows", async () => {
    const { organizationId, ownerId: userId, eventIds } = fixture;
    const key = await makerOn(service.db).organizationKey(organizationId, { userId });
    const client = await connectClient(service.url, key);
    const tool = { name: "update_event_details", arguments: { event_id: eventIds[0], venue: "Hall 2" } };
    const { view } = await showCard(await service.visit(), client, tool);
    await view.getByText("Pier 4").waitFor();
    await view.getByLabel("Reason").fill("The board agreed");
    await view.getByRole("button", { name: "Confirm" }).click();
    await view.getByText("The change was made").first().waitFor();
    const events = await service.db.query(sql`select venue from events where id = ${eventIds[0]}`);
    expect(events).toEqual([{ venue: "Hall 2" }]);
    await client.close();
  });
});
