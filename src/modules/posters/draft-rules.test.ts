import { describe, expect, it } from "vitest";
import { materialGaps, posterJob, posterMetadata, whenLine, whereLine } from "./draft-rules.js";
import type { EventMaterial } from "./material-store.js";

describe("whenLine", () => {
  it.each([
    ["2031-05-01T17:30:00Z", "2031-05-01T19:00:00Z", "Europe/Lisbon", "Thu 1 May 2031 · 18:30–20:00"],
    ["2031-05-01T17:30:00Z", "2031-05-01T19:00:00Z", "Asia/Tokyo", "Fri 2 May 2031 · 02:30–04:00"],
    ["2031-05-01T17:30:00Z", "2031-05-01T19:00:00Z", "Asia/Kathmandu", "Thu 1 May 2031 · 23:15–00:45"],
    ["2031-09-04T21:00:00Z", "2031-09-05T04:00:00Z", "Europe/Lisbon", "Thu 4 Sep 2031 · 22:00–05:00"],
    ["2031-09-04T08:00:00Z", "2031-09-06T16:00:00Z", "UTC", "Thu 4 Sep, 08:00 – Sat 6 Sep 2031, 16:00"],
    ["2031-12-31T20:00:00Z", "2032-01-01T12:00:00Z", "UTC", "Wed 31 Dec 2031, 20:00 – Thu 1 Jan 2032, 12:00"],
    // Daylight saving time ends in between: 01:30 occurs twice, and the event lasts two hours.
    ["2031-10-26T00:30:00Z", "2031-10-26T02:30:00Z", "Europe/Lisbon", "Sun 26 Oct 2031 · 01:30–02:30"],
    ["2031-05-01T00:00:00Z", "2031-05-02T00:00:00Z", "UTC", "Thu 1 May, 00:00 – Fri 2 May 2031, 00:00"],
  ])("%s to %s in %s", (start, end, timezone, expected) => {
    expect(whenLine(start, end, timezone)).toBe(expected);
  });
});

describe("whereLine", () => {
  it.each([
    ["Hall 2", "Lisbon", "Hall 2, Lisbon"],
    ["Lisbon Arena", "Lisbon", "Lisbon Arena"],
    [null, "Lisbon", "Lisbon"],
    ["  ", "Lisbon", "Lisbon"],
  ])("%j in %s", (venue, city, expected) => {
    expect(whereLine(venue, city)).toBe(expected);
  });
});

describe("posterJob", () => {
  const portrait = { template: undefined, format: "portrait", title: undefined } as const;

  it("defaults to the lineup template with speakers and to headline without", () => {
    expect(posterJob(material(), portrait).template).toBe("lineup");
    expect(posterJob(material({ speakers: [] }), portrait).template).toBe("headline");
    expect(posterJob(material(), { ...portrait, template: "editorial" }).template).toBe("editorial");
  });

  it("does not repeat the title in the event name", () => {
    const event_name = "Opening Keynote: Software That Lasts";
    const job = posterJob(material({ event_name }), { ...portrait, title: "Software That Lasts" });
    expect(job).toMatchObject({ title: "Software That Lasts", event_name: "Opening Keynote" });
    expect(posterJob(material({ event_name }), portrait)).toMatchObject({ title: event_name, event_name });
  });

  it.each([
    ["headline", "#102030", "dark.png"],
    ["headline", "#f0f0e0", "light.png"],
    ["lineup", "#102030", "dark.png"],
    ["geometric", "#f0f0e0", "dark.png"],
    ["editorial", "#102030", "light.png"],
  ] as const)("chooses the logo for the background: %s with %s", (template, primary_color, expected) => {
    const logos = { logo_url: "light.png", logo_dark_url: "dark.png" };
    const organization = { ...material().organization, primary_color, ...logos };
    const job = posterJob(material({ organization }), { ...portrait, template });
    expect(job.organization.logo_url).toBe(expected);
    const onlyLight = posterJob(material({ organization: { ...organization, logo_dark_url: null } }), {
      ...portrait,
      template,
    });
    expect(onlyLight.organization.logo_url).toBe("light.png");
  });

  it("describes the image in its metadata", () => {
    const job = posterJob(material(), { ...portrait, title: "Ada Lovelace" });
    expect(posterMetadata(job, { width: 1080, height: 1350 })).toMatchObject({
      style: "lineup",
      width: 1080,
      palette: { primary: "#1f3a5f", secondary: "#f2b134" },
      alt_text:
        "Poster of Harbour Works for “Ada Lovelace”, part of “Engines” at Test: Thu 1 May 2031 · 18:30–20:00, Hall 2, Lisbon. With Grace Hopper.",
    });
  });
});

describe("materialGaps", () => {
  it("names each gap with the tool that fills it", () => {
    expect(materialGaps(material({ venue: null }))).toEqual([
      "No photo, initials are drawn: Ada Lovelace and Grace Hopper (update_event_speaker: photo_url)",
      "No logo, the name is drawn: Harbour Works (set_organization_logo_urls)",
      "No brand colours, defaults are used: Harbour Works (update_organization_branding)",
      "No venue, the city is shown (update_event_details)",
    ]);
    expect(materialGaps(material({ speakers: [], speaker_count: 0 }))[0]).toBe("No speakers (add_event_speaker)");
    expect(materialGaps(material({ speaker_count: 60 }))[0]).toContain("58 more speakers");
  });

  it("is empty for complete material", () => {
    const organization = { name: "x", primary_color: "#000000", secondary_color: "#ffffff", logo_url: null };
    const speakers = material().speakers.map((speaker) => ({ ...speaker, photo_url: "https://pictures.test/a.png" }));
    expect(
      materialGaps(material({ speakers, organization: { ...organization, logo_dark_url: "https://x.test/" } })),
    ).toEqual([]);
  });
});

function material(more: Partial<EventMaterial> = {}): EventMaterial {
  const speaker = { title: null, company: null, role: "speaker", photo_url: null } as const;
  return {
    event_name: "Engines",
    start_time: "2031-05-01T17:30:00.000Z",
    end_time: "2031-05-01T19:00:00.000Z",
    timezone: "Europe/Lisbon",
    venue: "Hall 2",
    conference_name: "Test",
    city: "Lisbon",
    organization: {
      name: "Harbour Works",
      primary_color: null,
      secondary_color: null,
      logo_url: null,
      logo_dark_url: null,
    },
    co_hosts: [],
    speakers: [
      { id: "1", name: "Ada Lovelace", ...speaker },
      { id: "2", name: "Grace Hopper", ...speaker },
    ],
    speaker_count: 2,
    ...more,
  };
}
