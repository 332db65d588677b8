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

/** The scope that something requires, or several of which one is enough. */
export type RequiredScope = Scope | readonly Scope[];

export function scopesOf(required: RequiredScope): readonly Scope[] {
  return typeof required === "string" ? [required] : required;
}

/** As messages and documents write it. */
export function scopeText(required: RequiredScope): string {
  return scopesOf(required).join(" or ");
}

export function hasScope(required: RequiredScope, granted: readonly Scope[]): boolean {
  return scopesOf(required).some((scope) => granted.includes(scope));
}

export const scopes = Object.keys(scopeGrants) as [Scope, ...Scope[]];
