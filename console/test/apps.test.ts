import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { Role } from "../../contract/roles.js";
import type { Scope } from "../../contract/scopes.js";
import { connect, form, register } from "../../test/oauth/connecting.js";
import { formatDay, localZone } from "../src/format/times.ts";
import { confirm } from "./event-pages.ts";
import { type Page, withPages } from "./pages.ts";

const { service, make, open } = withPages();

/** Somebody of an organization who has connected an app. */
async function newUser(organizationId: string, role: Role, name: string) {
  const id = await make.member(organizationId, role);
  await service.db.query(sql`update users set name = ${name} where id = ${id}`);
  return { id, cookie: await service.signIn(id) };
}

const connectAs = async (
  cookie: string,
  organization: string,
  name: string,
  scopes: Scope[] = ["org:read", "events:write"],
) => {
  const clientId = await register(service, { client_name: name });
  return connect(service, cookie, { organization, scopes, app_name: name }, clientId);
};

const statusOf = async (key: string) =>
  (await service.call("/api/mcp", { method: "POST", key, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }))
    .status;

const rowOf = (page: Page, name: RegExp) => page.findByRole("row", { name });

it("lists what people have connected, and disconnects it", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const ana = await newUser(organizationId, "admin", "Ana Reis");
  const { access_token: token } = await connectAs(ana.cookie, organizationId, "Harbour Agent");
  const page = await open(`/o/${organizationId}/settings/apps`, owner);
  const today = formatDay(new Date(), localZone());
  const row = await rowOf(page, /Harbour Agent/);
  expect([...row.querySelectorAll("td")].slice(0, 4).map(({ textContent }) => textContent)).toEqual([
    ...["Ana ReisChanges", "Read the organization, Manage events", today, "Never"],
  ]);
  await page.choose("Actions for Harbour Agent", "Disconnect app");
  const dialog = await page.dialog("Disconnect “Harbour Agent”");
  await dialog.findByText(/It can no longer act for/);
  dialog.getByText(/It was never used\./);
  await confirm(page, "Disconnect app");
  await page.findByText("“Harbour Agent” is disconnected");
  await page.findByRole("heading", { name: "Disconnected apps" });
  await rowOf(page, new RegExp(`Harbour Agent.*Disconnected ?${today}$`));
  await page.findByText(/^No app is connected yet\./);
  expect(await statusOf(token)).toBe(401);
});

it("shows an app as soon as it is connected, and leads to what it changed", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/settings/apps`, owner);
  await page.findByText(/^No app is connected yet\./);
  await connectAs(owner, organizationId, "Harbour Agent");
  await rowOf(page, /Harbour Agent/);
  await page.user.click(page.getByRole("link", { name: /^What Harbour Agent changed for/ }));
  await page.findByRole("heading", { level: 1, name: "Activity" });
  const { apps } = (await service.get(`organizations/${organizationId}/apps`, owner)).json;
  expect(Object.fromEntries(new URLSearchParams(window.location.search))).toEqual({ app: apps[0].id });
  await page.findByText("No change matches");
});

it("shows that an app has signed out by itself", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const { refresh_token: token, clientId } = await connectAs(owner, organizationId, "Harbour Agent");
  const reply = await service.call("/oauth/revoke", {
    method: "POST",
    body: form({ token, client_id: clientId }),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(reply.status, reply.text).toBe(200);
  const page = await open(`/o/${organizationId}/settings/apps`, owner);
  await rowOf(page, /Harbour Agent.*Disconnected/);
  await page.user.click(page.getByRole("link", { name: "Activity" }));
  await page.findByText("The app gave up its tokens");
});

it("lets people disconnect their own apps only", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const ana = await newUser(organizationId, "member", "Ana Reis");
  await connectAs(owner, organizationId, "Owner’s Agent");
  await connectAs(ana.cookie, organizationId, "Ana’s Agent", ["org:read"]);
  const page = await open(`/o/${organizationId}/settings/apps`, ana.cookie);
  await rowOf(page, /Owner’s Agent/);
  expect(page.getAllByRole("button", { name: /^Actions for/ })).toHaveLength(1);
  page.getByRole("button", { name: "Actions for Ana’s Agent" });
});

it("says that an app stopped working because its person left", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const ana = await newUser(organizationId, "admin", "Ana Reis");
  await connectAs(ana.cookie, organizationId, "Harbour Agent");
  await service.db.query(sql`delete from members where user_id = ${ana.id}`);
  const page = await open(`/o/${organizationId}/settings/apps`, owner);
  await rowOf(page, /Harbour Agent.*Ana Reis.*Inactive: its person left$/);
});

it("says how each client is connected", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const page = await open(`/o/${organizationId}/settings/apps`, owner);
  await page.findByText("https://svc.test/api/mcp");
  await page.press(/^Claude: web, desktop and phone Which one\?$/);
  await page.user.click(await page.findByRole("option", { name: "Claude Code" }));
  await page.findByText("claude mcp add --transport http event-platform https://svc.test/api/mcp");
  expect(page.queryByText(/sends its requests from its own servers/)).toBeNull();
});
