import { describe, expect, it } from "vitest";
import { describeValue, differencesOf, wordsOf } from "./differences.ts";

const zone = "Europe/Lisbon";
const year = new Date().getUTCFullYear();
const [ana, ben] = ["00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000b"];

describe("differences", () => {
  it("name fields in plain words and times in the zone", () => {
    const changes = [
      { path: "venue_address", from: null, to: "Rua 1" },
      { path: "start_time", from: `${year}-12-08T09:30:00Z`, to: `${year}-12-08T10:30:00+01:00` },
      { path: "sold_out", from: false, to: true },
    ];
    const [venue, start, soldOut] = differencesOf(changes, {}, {}, zone);
    expect(venue).toEqual({ kind: "value", label: "Venue address", from: null, to: "Rua 1" });
    expect(start).toMatchObject({ label: "Start time", from: expect.stringMatching(/8 Dec, 09:30, Lisbon time$/) });
    expect(soldOut).toMatchObject({ from: "No", to: "Yes" });
  });

  it("compare long texts word by word", () => {
    const from = "A long description of an evening that has more than sixty characters.";
    const kindOf = (before: unknown, after: unknown) =>
      differencesOf([{ path: "description", from: before, to: after }], {}, {}, zone)[0]?.kind;
    expect(kindOf(from, `${from} New.`)).toBe("text");
    expect(kindOf("Short", "x".repeat(59))).toBe("value");
    expect(kindOf("Short", "x".repeat(60))).toBe("text");
    expect(kindOf("x".repeat(60), "Short")).toBe("text");
    expect(kindOf(from, null)).toBe("value");
  });

  it("name the rows of a list, and show rows and their order", () => {
    const current = {
      speakers: [
        { id: ana, name: "Ana" },
        { id: ben, name: "Ben" },
      ],
    };
    const proposed = {
      speakers: [
        { id: ben, name: "Ben" },
        { id: ana, name: "Ana", job_title: "Host" },
      ],
    };
    const changes = [
      { path: `speakers[${ana}].job_title`, from: null, to: "Host" },
      { path: "speakers", from: [ana, ben], to: [ben, ana] },
      { path: "speakers[new]", from: null, to: { id: null, name: "Cem", event_id: ana } },
    ];
    expect(differencesOf(changes, current, proposed, zone)).toEqual([
      { kind: "value", label: "Speakers › Ana › Job title", from: null, to: "Host" },
      { kind: "order", label: "Order of speakers", to: ["Ben", "Ana"] },
      { kind: "row", label: "Speakers", change: "added", fields: [{ name: "Name", value: "Cem" }] },
    ]);
  });

  it("count the members of lists of ids, and leave out rows whose names are not known", () => {
    const changes = [
      { path: "segment.speaker_ids", from: [ana], to: [ben] },
      { path: "segment.speaker_ids", from: [], to: [ana, ben] },
      { path: `speakers[${ana}].name`, from: "Ana", to: "Anna" },
    ];
    expect(differencesOf(changes, {}, {}, zone)).toEqual([
      { kind: "value", label: "Segment › Speakers", from: "1", to: "1 (1 added, 1 removed)" },
      { kind: "value", label: "Segment › Speakers", from: null, to: "2" },
      { kind: "value", label: "Speakers › Name", from: "Ana", to: "Anna" },
    ]);
    expect(describeValue({ id: ana, name: "Ana", slug: "ana" }, zone)).toBe("Ana");
    expect(describeValue({ id: ana }, zone)).toBe(`Id: ${ana}`);
  });

  it("show pictures by their addresses", () => {
    const [long, longer] = ["x", "y"].map((letter) => `https://pictures.example/${letter.repeat(80)}`);
    const lines = (path: string) => differencesOf([{ path, from: long, to: longer }], {}, {}, zone);
    for (const [path, label] of [
      ["organization.logo_dark_url", "Organization › Logo dark"],
      ["speaker.photo_url", "Speaker › Photo"],
      ["conference.banner_thumbnail_url", "Conference › Banner thumbnail"],
    ] as const)
      expect(lines(path)).toEqual([{ kind: "value", label, from: long, to: longer, isPicture: true }]);
    expect(lines("event.luma_url")).toMatchObject([{ kind: "text" }]);
  });

  it("describe values of every kind", () => {
    expect([null, "", [], 1200, ["a", null], { a_b: 1 }].map((value) => describeValue(value, zone))).toEqual([
      ...[null, null, null],
      ...["1,200", "a, empty", "A b: 1"],
    ]);
    expect(describeValue(0, zone)).toBe("0");
    expect(describeValue(`${year}-07-08`, zone)).toBe(`${year}-07-08`);
    expect(["logo_url", "image_urls", "api_key", "speaker_ids", "qr_code", "timezone"].map(wordsOf)).toEqual([
      ...["Logo address", "Image addresses", "API key", "Speakers", "QR code", "Time zone"],
    ]);
  });
});

describe("differences of lists", () => {
  it("show a row that is removed, without ids and empty fields, and at most twelve fields", () => {
    const row = { id: ana, event_id: ben, name: "Ana", bio: "", starts_at: `${year}-07-08T09:30:00Z` };
    expect(differencesOf([{ path: `speakers[${ana}]`, from: row, to: null }], { speakers: [row] }, {}, zone)).toEqual([
      {
        kind: "row",
        label: "Speakers › Ana",
        change: "removed",
        fields: [
          { name: "Name", value: "Ana" },
          { name: "Starts at", value: expect.stringMatching(/8 Jul, 10:30, Lisbon time$/) },
        ],
      },
    ]);
    const many = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`field_${index}`, index]));
    expect(differencesOf([{ path: "row", from: null, to: many }], {}, {}, zone)[0]).toMatchObject({
      fields: { length: 12 },
    });
  });

  it("name rows by their new names, and those in an object by its keys", () => {
    const changes = [
      { path: `speakers[${ana}].name`, from: "Ana", to: "Anna" },
      { path: `guests.${ben}.status`, from: "pending", to: "approved" },
    ];
    const current = { speakers: [{ id: ana, name: "Ana" }], guests: { [ben]: { name: "", email: "ben@example.com" } } };
    const proposed = { speakers: [{ id: ana, name: "Anna" }] };
    expect(differencesOf(changes, current, proposed, zone).map(({ label }) => label)).toEqual([
      ...["Speakers › Anna › Name", "Guests › ben@example.com › Status"],
    ]);
  });

  it("take one member for no order, and other members for no order either", () => {
    const kinds = [
      [[ana], [ana]],
      [
        [ana, ben],
        [ben, ana],
      ],
      [
        [ana, ben],
        [ana, "00000000-0000-0000-0000-00000000000c"],
      ],
    ].map(([from, to]) => differencesOf([{ path: "speakers", from, to }], {}, {}, zone)[0]?.kind);
    expect(kinds).toEqual(["value", "order", "value"]);
  });

  it("say where in a list a row comes or goes that is only a line of it", () => {
    const [before, after] = [
      { speakers: [{ id: ana, name: "Ana" }] },
      {
        speakers: [
          { id: null, name: "Ben" },
          { id: ana, name: "Ana" },
        ],
      },
    ];
    const added = [{ path: "speakers[new]", from: null, to: { id: null, name: "Ben" } }];
    expect(differencesOf(added, before, after, zone)).toEqual([
      { kind: "row", label: "Speakers", change: "added", fields: [{ name: "Ben", value: "1 of 2" }] },
    ]);
    const removed = [{ path: `speakers[${ana}]`, from: { id: ana, name: "Ana" }, to: null }];
    expect(differencesOf(removed, before, { speakers: [] }, zone)).toEqual([
      { kind: "row", label: "Speakers", change: "removed", fields: [{ name: "Ana", value: "1 of 1" }] },
    ]);
    expect(describeValue({}, zone)).toBeNull();
  });
});
