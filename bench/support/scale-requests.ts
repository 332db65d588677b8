import type { ScaleDataset } from "./scale-dataset.js";

export type ScaleRequest = {
  name: string;
  method?: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body?: object;
};

/** A request of each read through each endpoint, with the filters that make a difference to how it is read. */
export function scaleRequests(dataset: ScaleDataset): ScaleRequest[] {
  return [...restRequests(dataset), ...toolCalls(dataset), ...consoleRequests(dataset)];
}

function restRequests({ conferenceId, eventId, keys }: ScaleDataset): ScaleRequest[] {
  const paths = [
    "conferences",
    `conferences/${conferenceId}/events`,
    `conferences/${conferenceId}/events?category=vip`,
    `events/${eventId}/posters`,
    "posters",
    "posters?published=true",
    `posters?conference_id=${conferenceId}`,
  ];
  return keys.flatMap(({ tier, key }) =>
    paths.map((path) => ({
      name: `REST ${tier} ${path}`,
      path: `/api/svc/${path}`,
      headers: { authorization: `Bearer ${key}` },
    })),
  );
}

function toolCalls({ organizationKey, rosterEventId, registrationId }: ScaleDataset): ScaleRequest[] {
  const event_id = rosterEventId;
  const calls: [string, Record<string, unknown>][] = [
    ["get_organization_admin_snapshot", {}],
    ["get_organization_admin_snapshot", { event_name: "event 10" }],
    ["get_organization_admin_snapshot", { event_name: "nobody here" }],
    ["get_event_admin_snapshot", { event_id }],
    ["get_event_host_snapshot", { event_id }],
    ["get_event_asset_workspace", { event_id }],
    ["get_event_run_of_show", { event_id }],
    ["get_event_registration_details", { event_id, registration_id: registrationId }],
    ["list_event_registrations", { event_id }],
    ["list_event_registrations", { event_id, status: "declined" }],
    ["list_event_registrations", { event_id, query: "ada" }],
    ["list_event_registrations", { event_id, query: "nobody here" }],
  ];
  return calls.map(([tool, args]) => ({
    name: `MCP ${tool} ${describe(args)}`,
    method: "POST",
    path: "/api/mcp",
    headers: {
      authorization: `Bearer ${organizationKey}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } },
  }));
}

function describe({ event_id: _, ...args }: Record<string, unknown>): string {
  return Object.keys(args).length === 0 ? "" : JSON.stringify(args);
}

function consoleRequests(dataset: ScaleDataset): ScaleRequest[] {
  const { conferenceId, organizationId, rosterEventId, registrationId, personId, cookie } = dataset;
  const event = `organizations/:organization/events/${rosterEventId}`;
  const paths = [
    ...["session", "account/sessions"],
    ...["keys", "members", "dashboard", "events?when=upcoming", "events?when=past"].map(ofOrganization),
    ...["posters", "posters?state=draft", "posters?state=posted", "posters?state=unposted"].map(ofOrganization),
    ...["posters?platform=x", "posters?platform=nowhere", "links", "links?platform=nowhere"].map(ofOrganization),
    ...["search?query=guest", "search?query=nobody%20here", "search?query=event%2010"].map(ofOrganization),
    ...["activity", `activity?event=${rosterEventId}`, `activity?person=${personId}`, "activity?tool=nothing"].map(
      ofOrganization,
    ),
    ...["activity?via=console", "activity?text=nobody%20here", "activity/people"].map(ofOrganization),
    ...["activity?via=command_line", "host-candidates?query=organization", "host-candidates?query=nobody"].map(
      ofOrganization,
    ),
    ...[event, `${event}/speakers`, `${event}/posters`, `${event}/run-of-show`, `${event}/door`],
    ...[`${event}/guests/changes`, `${event}/guests/codes`, `${event}/guests/${registrationId}/code`],
    ...[`${event}/guests/selection`, `${event}/guests/selection?query=nobody`, `${event}/guests.csv`],
    ...["admin/overview", "admin/conferences", "admin/conferences?q=nobody", `admin/conferences/${conferenceId}`],
    ...["admin/events", "admin/events?status=draft", `admin/events?conference=${conferenceId}`],
    ...["admin/events?q=event", "admin/events?q=nobody", "admin/events?q=1234", "admin/events?q=event%20nobody"],
    ...["admin/events?q=event&status=draft", `admin/events?q=event&conference=${conferenceId}`],
    ...[`admin/events/${rosterEventId}`, "admin/organizations", "admin/organizations?q=nobody"],
    ...["admin/organizations/:organization", "admin/people", "admin/people?q=nobody", "admin/people?q=person"],
    ...["admin/people?q=person77", "admin/people?platform_admin=true", "admin/invitations", "admin/keys"],
    ...["admin/records", "admin/records?organization=:organization", "admin/records?tool=nothing"],
    ...["admin/records?organization=:organization&tool=nothing", "admin/records?text=nobody%20here"],
    ...[`admin/records?person=${personId}`, `admin/records?person=${personId}&via=command_line`],
  ];
  return paths.map((path) => ({
    name: `console ${path.replaceAll(/[0-9a-f-]{36}/g, ":id")}`,
    path: `/api/console/${path.replaceAll(":organization", organizationId)}`,
    headers: { cookie },
  }));
}

function ofOrganization(path: string): string {
  return `organizations/:organization/${path}`;
}
