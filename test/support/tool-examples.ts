import { randomUUID } from "node:crypto";

/** What a contract test finds in the database: one organization, an event that it hosts, and rows of every kind in it. */
export type World = {
  organizationId: string;
  otherOrganizationId: string;
  eventId: string;
  /** In order of their position. */
  speakerIds: [string, string, string];
  registrationIds: { pending: string; approved: string; waitlisted: string; declined: string };
  posterId: string;
  /** In order of their position. */
  segmentIds: [string, string, string];
};

/** One valid input that changes something, for each changing tool. */
export const exampleInputs: Record<string, (world: World) => Record<string, unknown>> = {
  update_organization_profile: () => ({ name: `Renamed ${randomUUID().slice(0, 8)}`, website_url: null }),
};
