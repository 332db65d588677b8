import type { Role } from "../../contract/roles.js";
import type { Scope } from "../../contract/scopes.js";
import type { EventRole, ToolGroup } from "../../src/runner/tool.js";

/**
 * What every tool requires of a caller and its annotations, written out, so that a changed declaration fails a test.
 * `reads` never changes anything, `adds` only adds or toggles, `overwrites` can replace or remove data.
 */
export type ToolPermissions = {
  name: string;
  group: ToolGroup;
  /** One, or several of which one is enough. */
  scope: Scope | Scope[];
  role: Role;
  event: EventRole | null;
  effect: "reads" | "adds" | "overwrites";
  /** The fields of a first commit's result that are recorded nowhere; the first is a secret. */
  reveals: string[];
};

type Row = [
  name: string,
  group: ToolGroup,
  scope: Scope | Scope[],
  role: Role,
  event: EventRole | null,
  effect: ToolPermissions["effect"],
  more?: { reveals: string[] },
];

const rows: Row[] = [
  ["get_organization_admin_snapshot", "organization", "org:read", "member", null, "reads"],
  ["update_organization_profile", "organization", "org:write", "owner", null, "overwrites"],
  ["update_organization_branding", "organization", "org:write", "owner", null, "overwrites"],
  ["set_organization_logo_urls", "organization", "org:write", "owner", null, "overwrites"],
  ["list_changes", "organization", "org:read", "member", null, "reads"],
  // A revert also requires what the reverted tool requires: test/mcp/revert-change.test.ts.
  ["revert_change", "organization", ["org:write", "events:write", "registrations:write"], "member", null, "overwrites"],
  ["get_event_admin_snapshot", "event_management", "org:read", "member", "host_or_co_host", "reads"],
  ["get_event_statistics", "event_management", "org:read", "member", "host_or_co_host", "reads"],
  ["update_event_details", "event_management", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["propose_event", "event_management", "events:write", "admin", null, "adds"],
  ["duplicate_event", "event_management", "events:write", "admin", "host_or_co_host", "adds"],
  ["resubmit_event_proposal", "event_management", "events:write", "admin", "host", "adds"],
  ["cancel_event", "event_management", "events:write", "admin", "host_or_cancelled", "overwrites"],
  ["get_event_host_snapshot", "event_management", "org:read", "member", "host_or_co_host", "reads"],
  ["add_event_cohost", "event_management", "events:write", "admin", "host", "adds"],
  ["remove_event_cohost", "event_management", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["set_event_primary_host", "event_management", "events:write", "admin", "host_or_offered", "overwrites"],
  ["add_event_speaker", "speakers", "events:write", "admin", "host_or_co_host", "adds"],
  ["update_event_speaker", "speakers", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["remove_event_speaker", "speakers", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["reorder_event_speakers", "speakers", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["list_event_registrations", "registrations", "registrations:read", "member", "host_or_co_host", "reads"],
  ["get_event_registration_details", "registrations", "registrations:read", "member", "host_or_co_host", "reads"],
  ["add_event_guest", "registrations", "registrations:write", "admin", "host_or_co_host", "adds"],
  ["approve_event_registration", "registrations", "registrations:write", "admin", "host_or_co_host", "adds"],
  ["decline_event_registration", "registrations", "registrations:write", "admin", "host_or_co_host", "overwrites"],
  ["waitlist_event_registration", "registrations", "registrations:write", "admin", "host_or_co_host", "adds"],
  ["restore_event_registration", "registrations", "registrations:write", "admin", "host_or_co_host", "adds"],
  [
    "batch_update_event_registrations",
    "registrations",
    "registrations:write",
    "admin",
    "host_or_co_host",
    "overwrites",
  ],
  ["set_event_registration_check_in", "registrations", "registrations:write", "member", "host_or_co_host", "adds"],
  ["get_event_asset_workspace", "production", "org:read", "member", "host_or_co_host", "reads"],
  ["generate_event_poster_draft", "production", "events:write", "admin", "host_or_co_host", "adds"],
  ["redraw_event_posters", "production", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["add_event_poster", "production", "events:write", "admin", "host_or_co_host", "adds"],
  ["set_event_poster_publication", "production", "events:write", "admin", "host_or_co_host", "adds"],
  ["update_event_poster", "production", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["remove_event_poster", "production", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["get_event_run_of_show", "production", "org:read", "member", "host_or_co_host", "reads"],
  ["create_event_segment", "production", "events:write", "admin", "host_or_co_host", "adds"],
  ["update_event_segment", "production", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["remove_event_segment", "production", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["reorder_event_segments", "production", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["set_event_run_of_show_publication", "production", "events:write", "admin", "host_or_co_host", "adds"],
];

/** Tools that MCP does not have: only people use them, in the console. */
const consoleRows: Row[] = [
  ["create_api_key", "organization", "org:write", "owner", null, "adds", { reveals: ["key"] }],
  ["rotate_api_key", "organization", "org:write", "owner", null, "overwrites", { reveals: ["key"] }],
  ["revoke_api_key", "organization", "org:write", "owner", null, "overwrites"],
  ["disconnect_app", "organization", "org:write", "member", null, "overwrites"],
  ["add_walk_in", "registrations", "registrations:write", "member", "host_or_co_host", "adds"],
  [
    "create_door_link",
    "registrations",
    "registrations:write",
    "admin",
    "host_or_co_host",
    "adds",
    { reveals: ["link", "pin"] },
  ],
  ["revoke_door_link", "registrations", "registrations:write", "admin", "host_or_co_host", "overwrites"],
  ["set_event_poster_links", "production", "events:write", "admin", "host_or_co_host", "overwrites"],
  ["invite_member", "organization", "org:write", "owner", null, "adds", { reveals: ["link", "mailed"] }],
  ["withdraw_invitation", "organization", "org:write", "owner", null, "overwrites"],
  ["create_reset_link", "organization", "org:write", "owner", null, "overwrites", { reveals: ["link"] }],
  ["set_member_role", "organization", "org:write", "owner", null, "overwrites"],
  ["remove_member", "organization", "org:write", "owner", null, "overwrites"],
  ["leave_organization", "organization", "org:write", "member", null, "overwrites"],
];

export const toolPermissions = rows.map(permissionsOf);

export const consoleToolPermissions = consoleRows.map(permissionsOf);

function permissionsOf([name, group, scope, role, event, effect, more]: Row): ToolPermissions {
  return { name, group, scope, role, event, effect, reveals: more?.reveals ?? [] };
}
