import sql from "sql-template-tag";
import { afterAll, beforeAll, expect } from "vitest";
import { createResetLink } from "../../src/modules/users/reset-links.js";
import { authorizationPath, newVerifier, register } from "../oauth/connecting.js";
import { createDashboardFixture } from "../support/dashboard-fixture.js";
import { makerOn } from "../support/make.js";
import { sizes, useBrowser, type Visitor } from "./support.js";

export type Person = "visitor" | "owner" | "administrator";

/** The routes of the console, who opens them, and what they show when they have loaded. */
export const pages: [route: string, who: Person, shown: string][] = [
  ["/", "visitor", '"documentation_url"'],
  ["/sign-in", "visitor", "To your organization’s events, posters and API keys."],
  ["/sign-in/done", "owner", "You are signed in"],
  ["/invite/$token", "visitor", "Join Harbour Works"],
  ["/reset/$token", "visitor", "Save password"],
  ["/door", "visitor", "Open the link that the organizers gave to you"],
  ["/connect", "visitor", "Nothing waits for a decision here."],
  ["/connect/$uid", "owner", "Nobody vouches for this app"],
  ["/account", "owner", "This one"],
  ["/o/$organization", "owner", "Opening night at the harbour"],
  ["/o/$organization/events", "owner", "Founders' breakfast"],
  ["/o/$organization/settings/keys", "owner", "“Poster bot” expires in 6 days"],
  ["/o/$organization/settings/keys/$key", "owner", "What it may do"],
  ["/o/$organization/settings/apps", "owner", "Harbour Agent"],
  ["/o/$organization/settings/members", "owner", "ines@example.com"],
  ["/o/$organization/settings", "owner", "Brand colours"],
  ["/o/$organization/activity", "owner", "Pier 4 is closed"],
  ["/o/$organization/events/$event", "owner", "Approved guests"],
  ["/o/$organization/events/$event/guests", "owner", "guest1@example.com"],
  ["/o/$organization/events/$event/guests/print", "owner", "Print 9 codes"],
  ["/o/$organization/events/$event/run-of-show", "owner", "Keynote"],
  ["/o/$organization/events/$event/speakers", "owner", "Tunde Adebayo"],
  ["/o/$organization/events/$event/posters", "owner", "portrait no. 5"],
  ["/o/$organization/events/$event/hosts", "owner", "Next Door"],
  ["/o/$organization/events/$event/numbers", "owner", "Show-up rate"],
  ["/o/$organization/events/$event/activity", "owner", "Pier 4 is closed"],
  ["/o/$organization/events/$event/door", "owner", "Up to date"],
  ["/admin", "administrator", "without an owner"],
  ["/admin/conferences", "administrator", "Test Conference"],
  ["/admin/conferences/$id", "administrator", "Opening night at the harbour"],
  ["/admin/events", "administrator", "Opening night at the harbour"],
  ["/admin/events/$id", "administrator", "Next Door"],
  ["/admin/organizations", "administrator", "Harbour Works"],
  ["/admin/organizations/$id", "administrator", "Ana Silva"],
  ["/admin/people", "administrator", "Ana Silva"],
  ["/admin/keys", "administrator", "Test Conference"],
  ["/admin/records", "administrator", "Pier 4 is closed"],
];

/** Former addresses, which lead to others. */
export const moved = ["keys", "apps", "members"].map((name) => `/o/$organization/${name}`);

/** Dialogs and other views that have an address of their own. */
export const views: typeof pages = [
  ["/sign-in?forgot=true", "visitor", "Reset your password"],
  ["/connect?problem=expired", "visitor", "The app was not connected"],
  ["/o/$organization/events?view=calendar", "owner", "Opening night at the harbour"],
  ["/o/$organization/settings/keys?create=true", "owner", "How you recognize it in this list"],
  ["/o/$organization/settings/members?invite=true", "owner", "Invite somebody to"],
  ["/o/$organization/events/$event/guests?add=true", "owner", "Ticket (optional)"],
];

/** A button or an item of a menu that is pressed, a field with what is entered, or a picture that is chosen. */
export type Step = string | [field: string, text: string] | { picture: string };

/** Dialogs without an address: the page, what leads to them on it, and their titles. */
export const dialogs: [route: string, who: Person, steps: Step[], title: string][] = [
  ["/o/$organization/events/$event/door", "owner", ["Add a guest who is not on the list"], "Add a guest"],
  ["/o/$organization/events/$event/door", "owner", ["Door links for volunteers"], "Door links"],
  ["/o/$organization/events/$event/guests?door-links=true", "owner", ["Create door link"], "Create a door link"],
  [
    "/o/$organization/events/$event/guests?door-links=true",
    "owner",
    ["Create door link", ["Name", "The entrance beside the river, for the evening"], "Create door link"],
    "Door link The entrance beside the river",
  ],
  ["/o/$organization/events/$event/speakers", "owner", ["Add speaker"], "Add a speaker"],
  ["/o/$organization/events/$event/speakers", "owner", ["Add speaker", { picture: "boat.png" }], "Crop the picture"],
  ["/o/$organization/events/$event/posters", "owner", ["Draw poster"], "Draw a poster"],
  ["/o/$organization/events/$event/posters", "owner", ["Upload poster"], "Upload a poster"],
  ["/o/$organization/events/$event/posters", "owner", ["Look at portrait no. 5"], "portrait no. 5"],
  ["/o/$organization/events/$event/run-of-show", "owner", ["Add segment"], "Add a segment"],
  ["/o/$organization/events/$event/hosts", "owner", ["Add co-host"], "Add a co-host"],
  ["/o/$organization/events/$event", "owner", ["More actions", "Duplicate event"], "Duplicate event"],
  ["/o/$organization/events/$event", "owner", ["More actions", "Cancel event"], "Cancel Opening night"],
  ["/o/$organization/events", "owner", ["Propose event"], "Propose event"],
  ["/o/$organization/settings/members", "owner", ["New link"], "ines@example.com is invited"],
  ["/admin/people", "administrator", ["Actions for Ana Silva", "Create password link"], "Create a password link"],
  [
    "/admin/people",
    "administrator",
    ["Actions for Ana Silva", "Create password link", "Create link"],
    "A new password for Ana Silva",
  ],
  ["/admin/conferences", "administrator", ["Create conference"], "Create conference"],
  ["/admin/events", "administrator", ["Create event"], "Create event"],
  ["/admin/organizations", "administrator", ["Create organization"], "Create organization"],
  ["/admin/keys", "administrator", ["Create key"], "Create platform key"],
];

/** The pages of the routes /docs and /docs/$. */
export const documentation = [
  ...["/docs", "/docs/quick-start", "/docs/api", "/docs/connect-your-agent", "/docs/ticketing", "/docs/door"],
  ...["/docs/api/service", "/docs/api/conferences", "/docs/api/posters", "/docs/api/images", "/docs/api/ticketing"],
  ...["/docs/api/mcp", "/docs/api/removed", "/docs/errors", "/docs/tools", "/docs/tools/organization"],
  ...["/docs/tools/event_management", "/docs/tools/speakers", "/docs/tools/registrations", "/docs/tools/production"],
  ...[
    "/docs/production",
    "/docs/configuration",
    "/docs/command-line",
    "/docs/sign-in",
    "/docs/operations",
    "/docs/performance",
    "/docs/backup",
  ],
  ...["/docs/import-format", "/docs/personal-data", "/docs/glossary", "/docs/changelog"],
];

/** The service with something to show on every page, and a function that opens one. */
export function usePages() {
  const service = useBrowser(afterAll);
  const visitors = {} as Record<Person, Visitor>;
  /** What stands for the parameters of routes. */
  const values: Record<string, string> = {};

  beforeAll(async () => {
    const make = makerOn(service.db);
    const fixture = await createDashboardFixture(service.db);
    const {
      organizationId,
      ownerId,
      conferenceIds: [conferenceId = ""],
      eventIds: [eventId = ""],
    } = fixture;
    await make.conferenceKey(conferenceId);
    const administratorId = await make.platformAdministrator();
    const cookie = await service.signIn(ownerId);
    visitors.visitor = await service.visit();
    visitors.owner = await service.visit({ cookie });
    visitors.administrator = await service.visit({ cookie: await service.signIn(administratorId) });
    const change = async (tool: string, args: object) => {
      const path = `/api/console/organizations/${organizationId}/tools/${tool}`;
      const send = async (body: object) =>
        (await service.call(path, { method: "POST", body, headers: { cookie, origin: service.url } })).json;
      return send({ ...(await send(args)).commit_with, reason: "Pier 4 is closed" });
    };
    const event = { event_id: eventId };
    await change("add_event_cohost", { ...event, organization_id: await make.organization("Next Door") });
    await change("add_event_speaker", { ...event, name: "Tunde Adebayo", title: "Engineer", bio: "Builds boats." });
    await change("create_event_segment", {
      ...event,
      title: "Keynote",
      duration_minutes: 30,
      notes: "Two microphones",
    });
    const { link } = await change("invite_member", { email: "ines@example.com", role: "admin" });
    const client_id = await register(service);
    await service.db.query(sql`
      insert into connected_apps (user_id, organization_id, client_id, name, scopes)
      values (${ownerId}, ${organizationId}, ${client_id}, 'Harbour Agent', '{org:read,events:write}')`);
    const [key] = await service.db.query<{ id: string }>(sql`
      select id from api_keys where organization_id = ${organizationId} and name = 'Poster bot'`);
    Object.assign(values, {
      "/connect/$uid": authorizationPath({ client_id, code_challenge: newVerifier().challenge, resource: undefined }),
      "/invite/$token": new URL(link).pathname,
      "/reset/$token": new URL(await createResetLink(service.db, service.url, { userId: ownerId, createdBy: null }))
        .pathname,
      $organization: fixture.slug,
      $event: eventId,
      $key: key?.id ?? "",
      "conferences/$id": `conferences/${conferenceId}`,
      "events/$id": `events/${eventId}`,
      "organizations/$id": `organizations/${organizationId}`,
    });
  });

  /** Opens a page in a window of this size, and waits until it has loaded. */
  async function open(who: Person, route: string, { shown, size = "desktop" }: OpenOptions = {}): Promise<Visitor> {
    const visitor = visitors[who];
    const { page } = visitor;
    await page.setViewportSize(sizes[size]);
    await page.goto(Object.entries(values).reduce((given, [name, value]) => given.replace(name, value), route));
    const content = shown === undefined ? page.locator("h1") : page.getByText(shown);
    await content.filter({ visible: true }).first().waitFor();
    await expect.poll(() => page.locator("[class*=skeleton], [aria-busy=true]").count()).toBe(0);
    return visitor;
  }

  return { service, open, eventId: () => values.$event ?? "" };
}

type OpenOptions = { shown?: string; size?: keyof typeof sizes };
