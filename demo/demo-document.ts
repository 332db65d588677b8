import type { z } from "zod";
import type { conferenceRow } from "../src/modules/conferences/schema.js";
import type { eventRow } from "../src/modules/events/schema.js";
import type { organizationRow } from "../src/modules/organizations/schema.js";
import type { posterRow } from "../src/modules/posters/schema.js";
import type { registrationRow } from "../src/modules/registrations/schema.js";
import type { segmentRow } from "../src/modules/run-of-show/schema.js";
import type { speakerRow } from "../src/modules/speakers/schema.js";
import type { userRow } from "../src/modules/users/schema.js";
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
