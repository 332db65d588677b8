import { beforeAll, describe, expect, test } from "vitest";
import { conferenceRow, eventRow, sampleDocument, sampleIds } from "./sample-document.js";
import { useTransfer } from "./transfer-harness.js";

const { transfer } = useTransfer();

describe("invalid rows", () => {
  let before: string;
  beforeAll(async () => {
    await transfer.clear();
    await transfer.import(sampleDocument());
    before = await transfer.exportText();
  });

  const poster = { event: "Opening", image_url: "https://images.example/new.png" };
  const guest = { event: "Opening", name: "New", email: "new@example.com" };
  const segment = { event: "Opening", title: "New", start_time: "2031-05-01T18:00:00Z", duration_minutes: 10 };
  const other = "99999999-9999-4999-8999-999999999999";

  test.each<[string, Record<string, unknown[]>, Record<string, string | RegExp>]>([
    [
      "an invalid field",
      { events: [eventRow(), eventRow({ name: "Other", start_time: "2031-05-01" })] },
      { "events[1].start_time": /^expected an ISO 8601 timestamp/ },
    ],
    [
      "a missing field",
      { events: [eventRow({ name: undefined })] },
      { "events[0].name": "is required in a new event" },
    ],
    [
      "an unknown field",
      { users: [{ email: "a@b.example", name: "A", nick: 1 }] },
      { "users[0].nick": "unknown field" },
    ],
    [
      "a row that is not an object",
      { users: [null, 5] },
      { "users[0]": "expected object, received null", "users[1]": "expected object, received number" },
    ],
    [
      "a number that JavaScript cannot represent",
      { posters: [{ ...poster, metadata: { a: "1e999" } }] },
      { "posters[0].metadata": /1e308/ },
    ],
    [
      "an unknown conference",
      { events: [eventRow({ conference: "nope" })] },
      { "events[0].conference": /^no conference with id or slug "nope"$/ },
    ],
    [
      "an unknown event",
      { posters: [{ ...poster, event: other }] },
      { "posters[0].event": /^no event with id or name "9{8}/ },
    ],
    [
      "an ambiguous event name",
      { events: [eventRow({ id: other, name: "Opening" })], posters: [poster] },
      { "posters[0].event": /2 events have the name "Opening": use the id/ },
    ],
    [
      "an unknown organization",
      { events: [eventRow({ hosts: [{ organization: "nope", role: "host" }] })] },
      { "events[0].hosts[0].organization": /^no organization with id or slug "nope"$/ },
    ],
    [
      "an unknown member",
      { organizations: [{ name: "A", slug: "acme", members: [{ email: "x@y.example", role: "owner" }] }] },
      { "organizations[0].members[0].email": /^no user with email "x@y.example"$/ },
    ],
    [
      "an unknown speaker",
      { segments: [{ ...segment, speakers: ["Zoë 🎤", "Nobody"] }] },
      { "segments[0].speakers[1]": /^no speaker in this event with id or name "Nobody"$/ },
    ],
    [
      "a speaker of another event by name",
      { segments: [{ ...segment, event: "Second", speakers: ["Zoë 🎤"] }] },
      { "segments[0].speakers[0]": /^no speaker in this event with id or name "Zoë 🎤"$/ },
    ],
    [
      "a speaker of another event by id",
      { segments: [{ ...segment, event: "Second", speakers: [sampleIds.zoe] }] },
      { "segments[0].speakers[0]": `no speaker in this event with id or name "${sampleIds.zoe}"` },
    ],
    [
      "a duplicate speaker",
      { segments: [{ ...segment, speakers: ["Zoë 🎤", "Zoë 🎤"] }] },
      { "segments[0].speakers[1]": "duplicate: same speaker as speakers[0]" },
    ],
    [
      "an ambiguous speaker name",
      { speakers: [{ id: other, event: "Opening", name: "Zoë 🎤" }], segments: [{ ...segment, speakers: ["Zoë 🎤"] }] },
      { "segments[0].speakers[0]": /2 speakers in this event/ },
    ],
    [
      "a duplicate host",
      {
        events: [
          eventRow({
            hosts: [
              { organization: "acme", role: "host" },
              { organization: sampleIds.acme, role: "co_host" },
            ],
          }),
        ],
      },
      { "events[0].hosts[1].organization": "duplicate: same organization as hosts[0]" },
    ],
    [
      "hosts without a host",
      { events: [eventRow({ hosts: [{ organization: "acme", role: "co_host" }] })] },
      { "events[0].hosts": "expected exactly one entry with role host, got 0" },
    ],
    [
      "a duplicate id",
      {
        users: [
          { id: other, email: "a@b.example", name: "A" },
          { id: other, email: "c@d.example", name: "C" },
        ],
      },
      { "users[1].id": "duplicate id: also the id of users[0]" },
    ],
    [
      "a duplicate email",
      {
        users: [
          { email: "a@b.example", name: "A" },
          { email: "A@b.example", name: "C" },
        ],
      },
      { "users[1].email": "same email as users[0]" },
    ],
    [
      "duplicate names without ids",
      { events: [eventRow(), eventRow()] },
      { "events[1]": "same conference and name as events[0]: set the id of each" },
    ],
    [
      "a row matched both by id and by name",
      { events: [eventRow({ id: sampleIds.opening, name: "Renamed" }), eventRow({ name: "Opening" })] },
      { "events[1]": "resolves to the same event as events[0]: set the id of each" },
    ],
    [
      "the email of another user",
      { users: [{ id: other, email: "ANN@example.com", name: "A" }] },
      { "users[0].email": /^already used by user [0-9a-f-]{36}$/ },
    ],
    [
      "the slug of another organization",
      { organizations: [{ id: sampleIds.acme, name: "A", slug: "beta" }] },
      { "organizations[0].slug": /^already used by organization [0-9a-f-]{36}$/ },
    ],
    [
      "an email that is already registered",
      { registrations: [{ ...guest, id: other, email: "gus@example.com" }] },
      { "registrations[0].email": /^already used by registration [0-9a-f-]{36}$/ },
    ],
    [
      "the ticketing id of another event",
      { events: [eventRow({ ticketing_event_id: "evt-1" })] },
      { "events[0].ticketing_event_id": `already used by event ${sampleIds.opening}` },
    ],
    [
      "a duplicate ticketing id",
      { events: [eventRow({ ticketing_event_id: "t" }), eventRow({ name: "B", ticketing_event_id: "t" })] },
      { "events[1].ticketing_event_id": "duplicate value: also in events[0]" },
    ],
    [
      "an event that ends before it starts",
      { events: [eventRow({ end_time: "2031-05-01T17:30:00Z" })] },
      { "events[0].end_time": "expected a time after start_time" },
    ],
    [
      "a conference that ends before it starts",
      { conferences: [conferenceRow({ slug: "new", end_date: "2031-04-30" })] },
      { "conferences[0].end_date": "expected a date on or after start_date" },
    ],
    [
      "a pending guest who is checked in",
      { registrations: [{ ...guest, checked_in_at: "2031-05-01T17:30:00Z" }] },
      { "registrations[0].checked_in_at": "expected null unless status is approved" },
    ],
    [
      "a checked-in guest who is declined",
      { registrations: [{ ...guest, email: "gus@example.com", status: "declined" }] },
      { "registrations[0].checked_in_at": "expected null unless status is approved" },
    ],
    [
      "previous_status without a decline",
      { registrations: [{ ...guest, status: "approved", previous_status: "pending" }] },
      { "registrations[0].previous_status": "expected null unless status is declined" },
    ],
    [
      "a speaker moved to another event",
      { speakers: [{ id: sampleIds.zoe, event: "Second", name: "Zoë" }] },
      { "speakers[0].event": `expected event ${sampleIds.opening}: a speaker cannot move to another event` },
    ],
  ])("%s is reported with its path", async (_, given, problems) => {
    const outcome = await transfer.tryImport(
      JSON.stringify({
        ...given,
        conferences: [...(given.conferences ?? []), conferenceRow({ slug: "extra" })],
      }).replace('"1e999"', "1e999"),
    );
    if (outcome.ok) throw new Error("the document was imported");
    expect(Object.fromEntries(outcome.problems.map(({ path, message }) => [path, message]))).toEqual(
      Object.fromEntries(
        Object.entries(problems).map(([path, message]) => [
          path,
          typeof message === "string" ? message : expect.stringMatching(message),
        ]),
      ),
    );
    expect(outcome.problemCount).toBe(Object.keys(problems).length);
    expect(await transfer.exportText()).toBe(before);
  });

  test("are reported with all their problems at once, but not those that follow from an invalid field", async () => {
    const outcome = await transfer.tryImport({
      events: [
        {
          ...eventRow({ conference: "nope", name: "", capacity: -1, nick: 1, end_time: "2031-05-01T10:00:00Z" }),
          hosts: [{ organization: "nobody", role: "host" }],
        },
        // The end is before the stored start, and after the start that was meant.
        { id: sampleIds.opening, start_time: "soon", end_time: "2030-01-01T00:00:00Z" },
        { id: "no uuid" },
      ],
      registrations: [{ event: "nope", email: "gus" }],
    });
    expect(outcome.ok ? [] : outcome.problems.map(({ path, message }) => `${path}: ${message}`).sort()).toEqual([
      "events[0].capacity: expected an integer from 0 to 10000000",
      'events[0].conference: no conference with id or slug "nope"',
      "events[0].end_time: expected a time after start_time",
      'events[0].hosts[0].organization: no organization with id or slug "nobody"',
      "events[0].name: expected a string that is not blank",
      "events[0].nick: unknown field",
      "events[1].start_time: expected an ISO 8601 timestamp with an offset, such as 2027-03-01T18:30:00Z",
      "events[2].id: expected a uuid, as lists return it in id",
      "registrations[0].email: expected an e-mail address such as ada@example.com",
      'registrations[0].event: no event with id or name "nope"',
      "registrations[0].name: is required in a new registration",
    ]);
  });

  test.each([
    [`/images/${"b".repeat(64)}.png`, "an image that is not stored"],
    [`/images/${"a".repeat(64)}.jpg`, "the wrong extension of a stored image"],
  ])("%s, the path of %s, is reported for every field that may hold an image", async (path) => {
    const message = "no image with this path is stored: use svc restore to copy images, or an absolute URL";
    const outcome = await transfer.tryImport({
      organizations: [{ slug: "acme", logo_url: path, logo_dark_url: path }],
      conferences: [{ slug: "open-web", banner_thumbnail_url: path }],
      events: [{ id: sampleIds.opening, tile_image_url: path }],
      posters: [{ ...poster, image_url: path, thumbnail_url: path }],
      speakers: [{ id: sampleIds.zoe, photo_url: path }],
    });
    expect(outcome.ok ? [] : outcome.problems).toEqual(
      [
        "organizations[0].logo_dark_url",
        "organizations[0].logo_url",
        "conferences[0].banner_thumbnail_url",
        "events[0].tile_image_url",
        "posters[0].image_url",
        "posters[0].thumbnail_url",
        "speakers[0].photo_url",
      ].map((field) => ({ path: field, message })),
    );
  });

  test("are all reported at once, without rows that refer to them", async () => {
    const outcome = await transfer.tryImport({
      users: [{ email: "x", name: "X" }],
      conferences: [conferenceRow({ slug: "bad", timezone: "Mars/Base" })],
      events: [eventRow({ conference: "bad", name: "Fine" }), eventRow({ name: "Wrong", capacity: -1 })],
      posters: [
        { ...poster, event: "Wrong" },
        { ...poster, event: "nope" },
      ],
    });
    expect(outcome.ok ? [] : outcome.problems.map(({ path }) => path)).toEqual([
      "users[0].email",
      "conferences[0].timezone",
      "events[1].capacity",
      "posters[1].event",
    ]);
  });

  test("a row that matches several stored rows by its natural key is an error", async () => {
    await transfer.import({ events: [eventRow({ id: other, name: "Opening" })] });
    const outcome = await transfer.tryImport({ events: [eventRow({ name: "Opening" })] });
    expect(outcome).toMatchObject({
      problems: [
        {
          path: "events[0]",
          message: expect.stringMatching("2 stored events have the same conference and name: set the id"),
        },
      ],
    });
  });
});

describe("a document", () => {
  beforeAll(() => transfer.clear());

  test.each([
    ["", /^test is empty: expected an object of lists/],
    ["[]", /^test, line 1: expected an object of lists/],
    ['{"events": {}}', /"events": expected an array/],
    ['{"users": [], "events": null}', /"events": expected an array/],
    ['{"users": [\n{"email": "a@b.example",\n', /line 3: unexpected end of file/],
    ['{"users": []', /unexpected end of file/],
    ['{"people": []}', /unknown list "people": expected one of users, /],
    ['{"users": [], "users": []}', /duplicate list "users"/],
    ['{"users": [\n{"email": x}]}', /line 2: users\[0\]: invalid JSON: expected a value/],
    ['{"users": [\n{"email": "a@b.example",\n"email": "b@b.example"}]}', /line 3: users\[0\]: .*"email" is repeated$/],
    ['{"posters": [{"metadata": {"a": 1, "\\u0061": 2}}]}', /posters\[0\]: .*"a" is repeated$/],
    ['{"posters": [{"metadata": {"list": [{"a:b": ":", "c": 1, "c": 2}]}}]}', /posters\[0\]: .*"c" is repeated$/],
    ['{"posters": [{"metadata": {"__proto__": {}}}]}', /posters\[0\]: .*no key named __proto__$/],
    ['{"posters": [{"metadata": {"\\u005f_proto__": 1}}]}', /posters\[0\]: .*no key named __proto__$/],
    ['{"users": [{"a": [1}, 2]}]}', /users\[0\]: invalid JSON/],
    ['{"users": [1,]}', /expected an item/],
    ['{"users": [1 2]}', /expected , or \]/],
    ['{"users": []} x', /expected the end of the file/],
    [`{"users": [${"[".repeat(200)}]}`, /nested more than 100 levels/],
    ["\ufeff{}", /byte order mark/],
    [Buffer.from('{"users": [{"name": "\xe9"}]}', "latin1"), /invalid UTF-8/],
  ])("that is %j is rejected", async (text, message) => {
    await expect(transfer.tryImport(text)).rejects.toThrow(message);
  });

  test.each([1, 3, 7])("may be split into chunks of %i bytes", async (size) => {
    const bytes = Buffer.from(JSON.stringify(sampleDocument(), null, 1));
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const outcome = await transfer.tryImport(chunks, { checkOnly: true });
    expect(outcome).toMatchObject({ ok: true, lists: { segments: { added: 1 } } });
  });
});
