import type { z } from "zod";
import type { eventCategory, eventTier } from "../../src/modules/events/schema.js";
import type { speakerRole } from "../../src/modules/speakers/schema.js";
import type { OrganizationSlug } from "./organizations.js";
import type { PersonKey } from "./people.js";
import type { VenueKey } from "./venues.js";

export type EventSeed = {
  key: string;
  name: string;
  description: string;
  /** The first day of the conference is day 1. Times are those of a clock on the wall there. */
  day: number;
  from: string;
  to: string;
  venue: VenueKey;
  status: "draft" | "approved" | "published";
  category: z.infer<typeof eventCategory>;
  tier: z.infer<typeof eventTier> | null;
  capacity: number | null;
  host: OrganizationSlug;
  coHosts: OrganizationSlug[];
  /** Whether the event also exists on the external ticketing platform. */
  ticketed: boolean;
  speakers: [person: PersonKey, role: z.infer<typeof speakerRole>][];
};
