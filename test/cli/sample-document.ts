export const sampleIds = {
  opening: "0a1b2c3d-0000-4000-8000-000000000001",
  acme: "0a1b2c3d-0000-4000-8000-000000000002",
  zoe: "0a1b2c3d-0000-4000-8000-000000000003",
};

export function conferenceRow(fields: Record<string, unknown> = {}) {
  return {
    name: "Open Web Days",
    slug: "open-web",
    short_name: "OWD",
    description: "",
    city: "Lisbon",
    start_date: "2031-05-01",
    end_date: "2031-05-03",
    timezone: "Europe/Lisbon",
    status: "published",
    category: "mainline",
    ...fields,
  };
}

export function eventRow(fields: Record<string, unknown> = {}) {
  return {
    conference: "open-web",
    name: "New Event",
    start_time: "2031-05-01T18:30:00+01:00",
    end_time: "2031-05-01T20:30:00Z",
    timezone: "Europe/Lisbon",
    status: "published",
    category: "mainline",
    ...fields,
  };
}

/** A small document that uses every list, with text that is easily corrupted. */
export function sampleDocument() {
  return {
    events: [
      eventRow({
        id: sampleIds.opening.toUpperCase(),
        name: "Opening",
        venue: "Hall A",
        capacity: 80,
        description: "Line one\nline two\t“quoted” \u202e\u0001 ﷽ e\u0301 👩‍👩‍👧‍👦",
        ticketing_event_id: "evt-1",
        hosts: [
          { organization: "beta", role: "co_host" },
          { organization: "acme", role: "host" },
        ],
      }),
      eventRow({ name: "Second", start_time: "2031-05-01T19:00:00.123456Z", status: "draft", tier: "vip" }),
    ],
    users: [
      { email: "Ann@Example.com", name: "Ann" },
      { email: "bo@example.com", name: "李波", platform_admin: true },
    ],
    organizations: [
      {
        id: sampleIds.acme,
        name: "Acme",
        slug: "acme",
        social_links: { web: "https://acme.example/" },
        brand_primary_color: "#112233",
        members: [
          { email: "bo@example.com", role: "member" },
          { email: "ann@example.com", role: "owner" },
        ],
      },
      { name: "Beta", slug: "beta" },
    ],
    conferences: [conferenceRow()],
    posters: [
      {
        event: "Opening",
        image_url: "https://images.example/1.png",
        posted_urls: { "my site": "https://x.example/1" },
      },
      {
        event: sampleIds.opening,
        image_url: `/images/${"a".repeat(64)}.png`,
        sort_order: 1e21,
        metadata: { a: { "": "𝕏\n" }, "10": [1, 2.5, null] },
        created_at: "2031-01-01T00:00:00Z",
      },
    ],
    speakers: [
      { id: sampleIds.zoe, event: "Opening", name: "Zoë 🎤" },
      { event: "Opening", name: 'Ada \\ "Countess"', links: { home: "https://ada.example/" } },
    ],
    registrations: [
      {
        event: "Opening",
        name: "Gus",
        email: "gus@example.com",
        status: "approved",
        registered_at: "2031-01-01T00:00:00Z",
        checked_in_at: "2031-05-01T18:31:00Z",
      },
      {
        event: "Opening",
        name: "Hal",
        email: "hal@example.com",
        status: "declined",
        previous_status: "waitlisted",
        registered_at: "2031-01-02T00:00:00Z",
      },
    ],
    segments: [
      {
        event: "Opening",
        title: "Talk",
        start_time: "2031-05-01T18:30:00Z",
        duration_minutes: 30,
        speakers: ['Ada \\ "Countess"', sampleIds.zoe],
      },
    ],
  };
}
