import { describe, expect, it } from "vitest";
import { changedDetails, detailsForm, problemsOf } from "./details-fields.ts";
import type { EventDetails } from "./event-page.ts";

const event: EventDetails = {
  id: "00000000-0000-0000-0000-00000000000a",
  name: "Opening",
  start_time: "2031-05-01T18:00:30.000Z",
  end_time: "2031-05-01T20:00:00.000Z",
  timezone: "Europe/Lisbon",
  venue: "Hall 1",
  venue_address: null,
  status: "published",
  category: "mainline",
  tier: null,
  description: "Text \n",
  luma_url: null,
  tile_image_url: null,
  capacity: 40,
  run_of_show_published: false,
  ticketing_linked: false,
  conference: { id: "c", name: "C", city: "Lisbon", status: "published" },
  created_at: "2031-01-01T00:00:00.000Z",
  updated_at: "2031-01-01T00:00:00.000Z",
};
const edited = (changes: object) => ({ ...detailsForm(event), ...changes });

describe("the form of an event's details", () => {
  it("sends nothing but what was changed", () => {
    expect(changedDetails(event, detailsForm(event))).toEqual({});
    expect(changedDetails(event, edited({ venue: " ", capacity: null, tier: "vip" }))).toEqual({
      venue: null,
      capacity: null,
      tier: "vip",
    });
    expect(changedDetails(event, edited({ start: "2031-05-01T18:30" }))).toEqual({
      start_time: "2031-05-01T17:30:00.000Z",
    });
  });

  it("keeps the local times when the zone changes", () => {
    expect(changedDetails(event, edited({ timezone: "Europe/Berlin" }))).toEqual({
      timezone: "Europe/Berlin",
      start_time: "2031-05-01T17:00:00.000Z",
      end_time: "2031-05-01T19:00:00.000Z",
    });
  });

  it("says what is wrong before asking the service", () => {
    expect(problemsOf(detailsForm(event))).toEqual({});
    expect(Object.keys(problemsOf(edited({ name: " ", end: "2031-05-01T10:00", luma_url: "luma.example" })))).toEqual([
      "name",
      "end",
      "luma_url",
    ]);
    expect(Object.keys(problemsOf(edited({ start: "" })))).toEqual(["start"]);
  });
});
