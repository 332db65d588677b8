import { describe, expect, it } from "vitest";
import type { EventDetails } from "../../../../contract/console/event.ts";
import { changedDetails, type DetailsForm, detailsForm, problemsOf } from "./details-fields.ts";

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

  it.each(["start_time", "end_time"] as const)("leaves %s alone in the hour that the clocks repeat", (field) => {
    // The clocks of Lisbon show 01:30 at 00:30Z and at 01:30Z.
    const times = { start_time: "2031-10-26T00:30:00.000Z", end_time: "2031-10-26T01:30:00.000Z" };
    const repeated: EventDetails = { ...event, ...times };
    const form = { ...detailsForm(repeated), venue: "Hall 2" };
    expect([form.start, form.end]).toEqual(["2031-10-26T01:30", "2031-10-26T01:30"]);
    expect(problemsOf(repeated, form)).toEqual({});
    expect(changedDetails(repeated, form)).toEqual({ venue: "Hall 2" });
    expect(changedDetails(repeated, { ...form, timezone: "Europe/London" })).toEqual({
      venue: "Hall 2",
      timezone: "Europe/London",
    });
    const moved = { ...form, [field === "start_time" ? "start" : "end"]: "2031-10-26T03:00" };
    expect(changedDetails(repeated, moved)).toEqual({ venue: "Hall 2", [field]: "2031-10-26T03:00:00.000Z" });
  });

  it("has every field, trimmed; only the description keeps its spaces", () => {
    const form: DetailsForm = {
      name: " Closing ",
      start: "2031-05-02T18:00",
      end: "2031-05-02T20:00",
      timezone: "UTC",
      venue: " Hall 2 ",
      venue_address: " Quay 1 ",
      description: " Two\n",
      capacity: 0,
      luma_url: " https://l.example ",
      tile_image_url: " http://t.example ",
      status: "approved",
      category: "vip",
      tier: "headline",
      movesShow: false,
    };
    expect(problemsOf(event, form)).toEqual({});
    expect(changedDetails(event, form)).toEqual({
      name: "Closing",
      start_time: "2031-05-02T18:00:00.000Z",
      end_time: "2031-05-02T20:00:00.000Z",
      timezone: "UTC",
      venue: "Hall 2",
      venue_address: "Quay 1",
      status: "approved",
      category: "vip",
      tier: "headline",
      description: " Two\n",
      luma_url: "https://l.example",
      tile_image_url: "http://t.example",
      capacity: 0,
    });
  });
});

describe("a form of an event's details that was changed", () => {
  it("clears what was emptied", () => {
    const full: EventDetails = {
      ...event,
      venue_address: "Quay 1",
      tier: "vip",
      luma_url: "https://l.example",
      tile_image_url: "https://t.example",
    };
    expect(changedDetails(full, detailsForm(full))).toEqual({});
    const emptied = { venue_address: "", tier: "none", description: " ", luma_url: "", tile_image_url: " " } as const;
    expect(changedDetails(full, { ...detailsForm(full), ...emptied })).toEqual({
      venue_address: null,
      tier: null,
      description: null,
      luma_url: null,
      tile_image_url: null,
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
    expect(problemsOf(event, detailsForm(event))).toEqual({});
    expect(
      Object.keys(problemsOf(event, edited({ name: " ", end: "2031-05-01T10:00", luma_url: "luma.example" }))),
    ).toEqual(["name", "end", "luma_url"]);
    expect(Object.keys(problemsOf(event, edited({ start: "" })))).toEqual(["start"]);
    expect(Object.keys(problemsOf(event, edited({ end: "", tile_image_url: "ftp://t.example" })))).toEqual([
      ...["end", "tile_image_url"],
    ]);
    expect(problemsOf(event, edited({ end: "2031-05-01T19:00" })).end).toBe("The event must end after it starts.");
    const atOnce = edited({ start: "2031-05-01T20:00", end: "2031-05-01T20:00" });
    expect(problemsOf(event, atOnce)).toEqual({ end: "The event must end after it starts." });
    expect(problemsOf(event, edited({ end: "2031-05-01T19:01" }))).toEqual({});
  });
});
