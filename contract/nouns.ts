/** The values of fields that have a few, by noun. */

/** Of all lists. */
export const maximumPage = 200;

/** How long a key of an organization lives at most, and by default. */
export const organizationKeyDays = 90;

/** How many days before its end people are reminded of a key, of whatever kind: in the second half of a short life. */
export const noticeDaysOf = (lifetimeDays: number): number => Math.min(mostNoticeDays, Math.floor(lifetimeDays / 2));
export const mostNoticeDays = 14;

/** How long a key of no organization lives at most, if it expires at all. */
export const platformKeyDays = 3650;

/** How long texts are at most, in UTF-16 code units: for the schemas, and for the fields of forms. */

/** Of descriptions, biographies and notes that tools write. A preview shows them up to five times. */
export const maximumText = 4000;

/** Of the same in an import, and of conferences, which only administrators write. */
export const maximumLongText = 20_000;

/** Of names, titles, venues, and other texts of one line. */
export const maximumLine = 200;
/** Of a text that is searched for. */
export const maximumWords = 200;

export const maximumVenueAddress = 400;
export const maximumShortName = 60;
export const maximumCity = 120;
export const maximumSlug = 100;
export const maximumEmail = 254;
export const maximumUrl = 2048;
/** What a poster shows, in words. */
export const maximumAltText = 1_000;
export const maximumKeyName = 100;

/** Of links that a speaker or an organization shows: of each name, and how many. */
export const maximumLinkName = 64;
export const maximumLinks = 20;

/** Of captions of posters: of each, and how many. */
export const maximumCaption = 2000;
export const maximumCaptions = 10;

/** Of what the organizers of a returned proposal read. */
export const maximumReturnReason = 1000;

/** Of an event. */
export const maximumCapacity = 10_000_000;

export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Of ids of events of the ticketing platform. */
export const ticketingIdPattern = /^evt-[\w-]{1,190}$/;
export const ticketingIdExample = "evt-7Yx2kQpLmN";

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
export const recordVias = ["key", "app", "console", "door", "command_line"] as const;
export type RecordVia = (typeof recordVias)[number];

/** The words for them, in lists and in what is exported. */
export const viaWords: Record<RecordVia, string> = {
  console: "Console",
  key: "API key",
  app: "Connected app",
  door: "Door link",
  command_line: "Command line",
};

/** How long the link of an invitation works. */
export const invitationDays = 7;

/** How long a link for a new password works. */
export const resetLinkHours = 2;

/** Of new passwords, in characters. */
export const minimumPasswordLength = 10;
export const maximumPasswordLength = 128;

/** Of what is searched for by name, in characters. */
export const shortestSearch = 2;
