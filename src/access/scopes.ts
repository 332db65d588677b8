/** What each scope of an organization key grants. Keys of the other tiers have no scopes. */
export const scopeGrants = {
  "conferences:read": "browse public conferences, events, schedules, speakers and artwork",
  "org:read": "read the organization profile, hosted events and aggregate event statistics",
  "org:write": "edit the organization profile and branding",
  "events:write": "manage owned event details, hosts, speakers, posters and run of show",
  "registrations:read": "read guest rosters and registration details of owned events",
  "registrations:write":
    "add guests; approve, decline, waitlist, restore or check in guests; manage ticket configuration",
} as const;

export type Scope = keyof typeof scopeGrants;

export const scopes = Object.keys(scopeGrants) as [Scope, ...Scope[]];
