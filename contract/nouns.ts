/** The values of fields that have a few, by noun. */

/** Of all lists. */
export const maximumPage = 200;

/** How long a key of an organization lives at most, and by default. */
export const organizationKeyDays = 90;

/** How many days before its end people are reminded of a key: in the second half of a short life. */
export const keyNoticeDays = {
  most: 14,
  of: (lifetimeDays: number): number => Math.min(14, Math.floor(lifetimeDays / 2)),
};

/** Of descriptions, biographies and notes that tools write. A preview shows them up to five times. */
export const maximumText = 4000;

/** Of conferences and events. */
export const statuses = ["draft", "approved", "published", "archived"] as const;
export type Status = (typeof statuses)[number];

/** The statuses of conferences and events that anybody sees. */
export const listedStatuses = ["approved", "published"] as const;

export const conferenceCategories = ["mainline", "community", "vip"] as const;

export const eventCategories = ["mainline", "community", "sponsored", "vip"] as const;

export const eventTiers = ["headline", "vip", "community"] as const;

export const hostRoles = ["host", "co_host"] as const;
export type HostRole = (typeof hostRoles)[number];

export const speakerRoles = ["speaker", "moderator", "panelist", "host"] as const;
export type SpeakerRole = (typeof speakerRoles)[number];

export const segmentKinds = ["talk", "panel", "break", "performance", "logistics", "other"] as const;
export type SegmentKind = (typeof segmentKinds)[number];

export const registrationStatuses = ["pending", "approved", "waitlisted", "declined"] as const;
export type RegistrationStatus = (typeof registrationStatuses)[number];

/** Of keys that belong to no organization. */
export const platformKeyTiers = ["super-admin", "conference"] as const;
export type PlatformKeyTier = (typeof platformKeyTiers)[number];

/** An inactive key belongs to somebody who left the organization. */
export const keyStates = ["active", "revoked", "expired", "inactive"] as const;
export type KeyState = (typeof keyStates)[number];

/** Apps that people of one organization have connected. */
export const connectedAppsLimit = 100;

export const appStates = ["active", "inactive", "ended"] as const;

/** How the author of a change came in. */
export const recordVias = ["key", "app", "console", "command_line"] as const;
export type RecordVia = (typeof recordVias)[number];

/** Of new passwords, in characters. */
export const minimumPasswordLength = 10;
export const maximumPasswordLength = 128;

/** Of what is searched for by name, in characters. */
export const shortestSearch = 2;
