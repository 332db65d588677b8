import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { ConnectRequest } from "../../contract/console/account.js";
import { authorize, type Begun, comeBack, cookieHeader, newVerifier, register } from "../../test/oauth/connecting.js";
import { type Page, withPages } from "./pages.ts";

const { service, make, open, takeErrors } = withPages();

/** An app has sent the browser to the service. */
const begin = async (metadata: object = {}, parameters: Record<string, string> = {}): Promise<Begun> =>
  authorize(service, {
    client_id: await register(service, metadata),
    code_challenge: newVerifier().challenge,
    ...parameters,
  });

const openRequest = async (begun: Begun, session?: string): Promise<Page> =>
  open(`/connect/${begun.uid}`, cookieHeader(begun.cookies, session));

/** The app of the request is described at an address of this host. Call it before the page has read the request. */
function describeApp(host: string): void {
  const connected = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await connected(input, init);
    const isRequest = /\/connect\/[\w-]+\/request$/.test(String(input)) && init?.method === "GET";
    if (!isRequest) return response;
    const request = (await response.json()) as ConnectRequest;
    return Response.json({ ...request, app: { ...request.app, described_by: host } });
  };
}

/** What the browser brings back to the app, from where the page sends it: this document cannot be left. */
async function leave(begun: Begun): Promise<URLSearchParams> {
  await expect.poll(takeErrors).toEqual([expect.stringContaining("navigation")]);
  return comeBack(service, begun, `/oauth/authorize/${begun.uid}`);
}

const connectedApps = (organizationId: string) =>
  service.db.query(sql`select name, user_id, scopes from connected_apps where organization_id = ${organizationId}`);

const ticked = (page: Page) =>
  page
    .getAllByRole<HTMLInputElement>("checkbox")
    .filter(({ checked }) => checked)
    .map(({ value }) => value);

it("connects an app with what stays ticked, and brings the browser back", async () => {
  const { organizationId, ownerId, owner } = await service.newOrganization();
  const begun = await begin();
  const page = await openRequest(begun, owner);
  await page.findByRole("heading", { level: 1, name: "Connect Harbour Agent" });
  page.getByText("Nobody vouches for this app");
  page.getByText("An app on this computer, at 127.0.0.1:33418");
  page.getByText("You are an owner there");
  expect(page.queryByRole("radio")).toBeNull();
  expect(ticked(page)).toEqual(["org:read", "org:write", "events:write", "registrations:read", "registrations:write"]);
  for (const name of [/^Edit the organization org:write/, /^Read guest lists/, /^Manage guests/]) {
    await page.user.click(page.getByRole("checkbox", { name }));
  }
  // No key decides.
  await page.user.keyboard("{Enter}");
  expect(await connectedApps(organizationId)).toEqual([]);
  await page.press("Connect Harbour Agent");
  await page.findByRole("heading", { level: 1, name: "Harbour Agent is connected" });
  expect(await connectedApps(organizationId)).toEqual([
    { name: "Harbour Agent", user_id: ownerId, scopes: ["org:read", "events:write"] },
  ]);
  expect(Object.fromEntries(await leave(begun))).toMatchObject({ code: expect.any(String), state: "s1" });
  page.getByRole("link", { name: "See connected apps" });
});

it("asks for an organization, and for something that the app may do", async () => {
  const { owner, ownerId } = await service.newOrganization();
  const second = await make.organization("Pier Nine");
  await service.db.query(
    sql`insert into members (organization_id, user_id, role) values (${second}, ${ownerId}, 'member')`,
  );
  const begun = await begin({}, { scope: "org:read registrations:read" });
  const page = await openRequest(begun, owner);
  await page.press("Connect Harbour Agent");
  await page.findByText("Choose the organization that it acts for.");
  await page.user.click(page.getByRole("radio", { name: /^Pier Nine/ }));
  expect(page.queryByText("Choose the organization that it acts for.")).toBeNull();
  for (const box of page.getAllByRole("checkbox")) await page.user.click(box);
  await page.press("Connect Harbour Agent");
  await page.findByText("Allow at least one, or deny.");
  await page.user.click(page.getByRole("checkbox", { name: /^Read guest lists/ }));
  await page.press("Connect Harbour Agent");
  await leave(begun);
  expect(await connectedApps(second)).toMatchObject([{ scopes: ["registrations:read"] }]);
});

/** A member of an organization. */
async function newMember() {
  const organizationId = await make.organization("Harbour Works");
  return { organizationId, cookie: await service.signIn(await make.member(organizationId, "member")) };
}

it("cannot grant what the role does not have", async () => {
  const { organizationId, cookie } = await newMember();
  const begun = await begin({}, { scope: "org:read org:write" });
  const page = await openRequest(begun, cookie);
  const box = await page.findByRole("checkbox", { name: /^Edit the organization.*Not open to your role, member$/ });
  expect(box).toHaveProperty("disabled", true);
  expect(ticked(page)).toEqual(["org:read"]);
  await page.press("Connect Harbour Agent");
  await leave(begun);
  expect(await connectedApps(organizationId)).toMatchObject([{ scopes: ["org:read"] }]);
});

it("offers only to deny where the role can use nothing of it", async () => {
  const page = await openRequest(await begin({}, { scope: "org:write" }), (await newMember()).cookie);
  await page.findByText("Your role is not enough for this app");
  page.getByText(/^It asks for “Edit the organization”\. As a member of Harbour Works you cannot use that:/);
  expect(page.queryByRole("button", { name: /^Connect/ })).toBeNull();
  page.getByRole("button", { name: "Deny" });
});

it("tells the app that the person has denied it", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const begun = await begin();
  const page = await openRequest(begun, owner);
  await page.press("Deny");
  await page.findByRole("heading", { level: 1, name: "Harbour Agent is not connected" });
  expect((await leave(begun)).get("error")).toBe("access_denied");
  expect(await connectedApps(organizationId)).toEqual([]);
});

it("lets somebody without an organization deny", async () => {
  const begun = await begin();
  const page = await openRequest(begun, await service.signIn(await make.user("Ana Silva")));
  await page.findByText("You are not a member of an organization");
  expect(page.queryByRole("button", { name: /^Connect/ })).toBeNull();
  await page.press("Deny");
  expect((await leave(begun)).get("error")).toBe("access_denied");
});

it("names who describes an app, and where it returns to", async () => {
  const { owner } = await service.newOrganization();
  const begun = await begin({ redirect_uris: ["harbour-agent:/back"] }, { redirect_uri: "harbour-agent:/back" });
  const page = await openRequest(begun, owner);
  describeApp("harbour.example");
  await page.findByText("This app is described by harbour.example");
  page.getByText("The app on this device that opens harbour-agent: links");
  expect(page.queryByText("Nobody vouches for this app")).toBeNull();
});

it("asks to sign in, and comes back", async () => {
  const begun = await begin();
  const page = await openRequest(begun);
  await page.findByText("Sign in to continue where you were.");
  expect(new URLSearchParams(page.path().split("?")[1]).get("return_to")).toBe(`/connect/${begun.uid}`);
});

it("says that a request was begun in another browser", async () => {
  const { owner } = await service.newOrganization();
  const page = await open(`/connect/${(await begin()).uid}`, owner);
  await page.findByText("This request cannot be continued");
  page.getByText(/was begun in another browser\. Start again in the app\.$/);
  page.getByRole("link", { name: "How to connect an app" });
});

it("says why a decision was refused, and shows what has changed", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await openRequest(await begin(), owner);
  await page.findByRole("button", { name: "Connect Harbour Agent" });
  await service.db.query(sql`delete from members where organization_id = ${organizationId}`);
  await page.press("Connect Harbour Agent");
  await page.findByText("You are not a member of an organization");
  expect(page.getByRole("alert").textContent).not.toBe("");
  expect(await connectedApps(organizationId)).toEqual([]);
});

it("explains problems that it knows, and shows nothing else of its address", async () => {
  const known = await open("/connect?problem=wrong_address");
  await known.findByText("The app was not connected");
  known.getByText(/wants to return to an address that it has not registered/);
  const unknown = await open("/connect?problem=Call%20this%20number");
  await unknown.findByText(/^Nothing waits for a decision here\./);
  expect(document.body.textContent).not.toContain("Call this number");
});
