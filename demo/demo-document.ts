import type { z } from "zod";
import type { conferenceRow } from "../contract/schema/conferences.js";
import type { eventRow } from "../contract/schema/events.js";
import type { organizationRow } from "../contract/schema/organizations.js";
import type { posterRow } from "../contract/schema/posters.js";
import type { registrationRow } from "../contract/schema/registrations.js";
import type { segmentRow } from "../contract/schema/run-of-show.js";
import type { speakerRow } from "../contract/schema/speakers.js";
import type { userRow } from "../contract/schema/users.js";
import type { DemoContent } from "./content.js";
import type { ImageManifest } from "./image-manifest.js";

/** Every row has an id, so that importing the document again updates the same rows. */
type Identified<Row> = Row & { id: string };

export type UserRow = Identified<z.infer<typeof userRow>>;
export type OrganizationRow = Identified<z.infer<typeof organizationRow>>;
export type ConferenceRow = Identified<z.infer<typeof conferenceRow>>;
export type EventRow = Identified<z.infer<typeof eventRow>>;
export type PosterRow = Identified<z.infer<typeof posterRow>>;
export type SpeakerRow = Identified<z.infer<typeof speakerRow>>;
export type RegistrationRow = Identified<z.infer<typeof registrationRow>>;
export type SegmentRow = Identified<z.infer<typeof segmentRow>>;

/** The demo data in the import format. */
export type DemoDocument = {
  users: UserRow[];
  organizations: OrganizationRow[];
  conferences: ConferenceRow[];
  events: EventRow[];
  posters: PosterRow[];
  speakers: SpeakerRow[];
  registrations: RegistrationRow[];
  segments: SegmentRow[];
};

/** What the document is built from. `baseUrl` has no trailing slash. */
export type DemoSource = { content: DemoContent; manifest: ImageManifest; baseUrl: string; now: Date };
