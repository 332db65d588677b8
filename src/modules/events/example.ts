import type { z } from "zod";
import type { eventSummary } from "../../../contract/schema/events.js";
import { exampleIds, exampleImageUrl } from "../../schema/examples.js";

export const eventExample: z.output<typeof eventSummary> = {
  id: exampleIds.event,
  name: "Opening Keynote: Software That Lasts",
  start_time: "2026-12-08T09:30:00.000Z",
  end_time: "2026-12-08T10:45:00.000Z",
  timezone: "Europe/Lisbon",
  venue: "Doca Central, Main Hall",
  venue_address: "Rua da Doca Nova 18, 1350-352 Lisboa, Portugal",
  status: "published",
  category: "mainline",
  tier: "headline",
  description: "What do systems that are still useful after twenty years have in common?",
  luma_url: "https://luma.example.com/meridian-lisbon/opening-keynote",
  tile_image_url: exampleImageUrl("6294ea8bc1da68509379b66f41006d30e03ff24977f5582f3706cc030b034e67"),
  conference_id: exampleIds.conference,
  created_at: "2026-08-09T20:45:00.000Z",
};
