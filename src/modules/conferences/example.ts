import type { z } from "zod";
import type { conference } from "../../../contract/schema/conferences.js";
import { exampleIds, exampleImageUrl } from "../../schema/examples.js";

export const conferenceExample: z.output<typeof conference> = {
  id: exampleIds.conference,
  name: "Meridian Developer Conference",
  slug: "meridian-lisbon",
  short_name: "Meridian Lisbon",
  description: "Four days in Lisbon for people who build software that has to last.",
  city: "Lisbon",
  start_date: "2026-12-08",
  end_date: "2026-12-11",
  timezone: "Europe/Lisbon",
  status: "published",
  category: "mainline",
  banner_thumbnail_url: exampleImageUrl("4156b2cea24860bd0b0094b13cd38dcb9fb56cbe3416dbd876fa9097ca3b2531"),
  created_at: "2026-04-15T03:51:31.695Z",
};
