import { expect, it } from "vitest";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { describePoster, linksOf, staleNote, titleOf } from "./poster.ts";

const poster: EventPoster = {
  id: "00000000-0000-0000-0000-00000000000a",
  event_id: "00000000-0000-0000-0000-00000000000b",
  conference_id: null,
  sort_order: 0,
  title: null,
  image_url: "https://images.example.com/1.png",
  thumbnail_url: null,
  published: true,
  metadata: {},
  posted_urls: null,
  created_at: "2031-01-01T00:00:00.000Z",
  stale: [],
};

it("shows what the metadata says", () => {
  const metadata = {
    width: 1080,
    height: 1080,
    format: "square",
    style: "lineup",
    alt_text: "A poster",
    caption_ideas: ["One", "", 2],
    hashtags: ["a", "#b"],
    language: "pt",
  };
  expect(describePoster({ ...poster, metadata })).toEqual({
    size: { width: 1080, height: 1080 },
    format: "Square",
    template: "Line-up",
    altText: "A poster",
    captions: ["One"],
    hashtags: ["#a", "#b"],
    language: "pt",
  });
});

it("shows formats and templates that it does not know by their names, and the usual size of those that it knows", () => {
  expect(describePoster({ ...poster, metadata: { format: "square" } }).size).toEqual({ width: 1080, height: 1080 });
  expect(describePoster({ ...poster, metadata: { format: "banner", style: "collage" } })).toMatchObject({
    format: "banner",
    template: "collage",
  });
});

it("has a title and links, or says that there are none", () => {
  expect([titleOf(poster), titleOf({ ...poster, title: "Pier" })]).toEqual(["Untitled poster", "Pier"]);
  const posted_urls = { x: "https://x.com/1" };
  expect(linksOf({ ...poster, posted_urls })).toEqual([{ platform: "x", url: "https://x.com/1" }]);
});

it("survives metadata of any shape", () => {
  for (const value of [null, 1, "x", [], {}, [[1]], -1]) {
    const names = ["width", "height", "format", "style", "alt_text", "caption_ideas", "hashtags", "language"];
    const metadata = Object.fromEntries(names.map((name) => [name, value]));
    const { size } = describePoster({ ...poster, metadata });
    expect(size.width / size.height).toBeGreaterThan(0.2);
  }
  expect(linksOf(poster)).toEqual([]);
});

it("says what is old on a poster", () => {
  expect(staleNote(["time", "place"])).toBe("Shows an old time and place");
});
