import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FreshDatabase, openFreshDatabase } from "../support/fresh-database.js";
import { conference, document, event, ids } from "./import-document.js";
import { type Transfer, transferOn } from "./transfer.js";

let fresh: FreshDatabase;
let transfer: Transfer;

beforeAll(async () => {
  fresh = await openFreshDatabase();
  transfer = transferOn(fresh.db);
});
afterAll(() => fresh.remove());

describe("what is wrong", () => {
  beforeAll(() => transfer.imported(document()));

  const poster = { event: "Opening", image_url: "https://images.example/new.png" };
  const guest = { event: "Opening", name: "New", email: "new@example.com" };
  const segment = { event: "Opening", title: "New", start_time: "2031-05-01T18:00:00Z", duration_minutes: 10 };
  const other = "99999999-9999-4999-8999-999999999999";

  test.each<[string, Record<string, unknown[]>, Record<string, string | RegExp>]>([
    [
      "a wrong field",
      { events: [event(), event({ start_time: "2031-05-01" })] },
      { "events[1].start_time": /ISO 8601/ },
    ],
    ["a missing field", { events: [event({ name: undefined })] }, { "events[0].name": "is required" }],
    [
      "an unknown field",
      { users: [{ email: "a@b.example", name: "A", nick: 1 }] },
      { "users[0].nick": /not a known field/ },
    ],
    ["not an object", { users: [null, 5] }, { "users[0]": "expects an object", "users[1]": "expects an object" }],
    ["an unknown value", { events: [event({ status: "live" })] }, { "events[0].status": /one of draft, approved/ }],
    [
      "a wrong link",
      { posters: [{ ...poster, posted_urls: { "my site": "x" } }] },
      { 'posters[0].posted_urls["my site"]': /URL/ },
    ],
    [
      "a number that is lost",
      { posters: [{ ...poster, metadata: { a: "1e999" } }] },
      { "posters[0].metadata": /1e308/ },
    ],
    [
      "a NUL",
      { organizations: [{ name: "A", slug: "a", description: "A\0" }] },
      { "organizations[0].description": /NUL/ },
    ],
    ["half a character", { events: [event({ venue: "\ud800" })] }, { "events[0].venue": /Unicode/ }],
    [
      "an unknown conference",
      { events: [event({ conference: "nope" })] },
      { "events[0].conference": /no conference has the id or slug "nope"/ },
    ],
    [
      "an unknown event",
      { posters: [{ ...poster, event: other }] },
      { "posters[0].event": /no event has the id or name/ },
    ],
    [
      "a name of two events",
      { events: [event({ id: other, name: "Opening" })], posters: [poster] },
      { "posters[0].event": /2 events have the name "Opening": use the id/ },
    ],
    [
      "an unknown organization",
      { events: [event({ hosts: [{ organization: "nope", role: "host" }] })] },
      { "events[0].hosts[0].organization": /no organization/ },
    ],
    [
      "an unknown member",
      { organizations: [{ name: "A", slug: "acme", members: [{ email: "x@y.example", role: "owner" }] }] },
      { "organizations[0].members[0].email": /no user has the email/ },
    ],
    [
      "an unknown speaker",
      { segments: [{ ...segment, speakers: ["Zoë 🎤", "Nobody"] }] },
      { "segments[0].speakers[1]": /no speaker in this event/ },
    ],
    [
      "a speaker named twice",
      { segments: [{ ...segment, speakers: ["Zoë 🎤", "Zoë 🎤"] }] },
      { "segments[0].speakers[1]": /same speaker as in speakers\[0\]/ },
    ],
    [
      "a name of two speakers",
      { speakers: [{ id: other, event: "Opening", name: "Zoë 🎤" }], segments: [{ ...segment, speakers: ["Zoë 🎤"] }] },
      { "segments[0].speakers[0]": /2 speakers in this event/ },
    ],
    [
      "the same host twice",
      {
        events: [
          event({
            hosts: [
              { organization: "acme", role: "host" },
              { organization: ids.acme, role: "co_host" },
            ],
          }),
        ],
      },
      { "events[0].hosts[1].organization": /same organization as in hosts\[0\]/ },
    ],
    [
      "no host",
      { events: [event({ hosts: [{ organization: "acme", role: "co_host" }] })] },
      { "events[0].hosts": /exactly one/ },
    ],
    [
      "an id given twice",
      {
        users: [
          { id: other, email: "a@b.example", name: "A" },
          { id: other, email: "c@d.example", name: "C" },
        ],
      },
      { "users[1].id": /also the id of users\[0\]/ },
    ],
    [
      "an e-mail given twice",
      {
        users: [
          { email: "a@b.example", name: "A" },
          { email: "A@b.example", name: "C" },
        ],
      },
      { "users[1].email": /same email as users\[0\]/ },
    ],
    [
      "a name given twice without ids",
      { events: [event(), event()] },
      { "events[1]": /same conference and name as events\[0\]: give each its id/ },
    ],
    [
      "one row by id and by name",
      { events: [event({ id: ids.opening, name: "Renamed" }), event({ name: "Opening" })] },
      { "events[1]": /names the same event as events\[0\]/ },
    ],
    [
      "an e-mail of another user",
      { users: [{ id: other, email: "ANN@example.com", name: "A" }] },
      { "users[0].email": /taken by the user/ },
    ],
    [
      "a slug of another organization",
      { organizations: [{ id: ids.acme, name: "A", slug: "beta" }] },
      { "organizations[0].slug": /taken by the organization/ },
    ],
    [
      "a registered e-mail",
      { registrations: [{ ...guest, id: other, email: "gus@example.com" }] },
      { "registrations[0].email": /taken by the registration/ },
    ],
    [
      "a ticketing id of another event",
      { events: [event({ ticketing_event_id: "evt-1" })] },
      { "events[0].ticketing_event_id": /taken by the event/ },
    ],
    [
      "a ticketing id given twice",
      { events: [event({ ticketing_event_id: "t" }), event({ name: "B", ticketing_event_id: "t" })] },
      { "events[1].ticketing_event_id": /same as in events\[0\]/ },
    ],
    [
      "an event that ends before it starts",
      { events: [event({ end_time: "2031-05-01T17:30:00Z" })] },
      { "events[0].end_time": /after start_time/ },
    ],
    [
      "a conference that ends before it starts",
      { conferences: [conference({ slug: "new", end_date: "2031-04-30" })] },
      { "conferences[0].end_date": /not before start_date/ },
    ],
    [
      "year 0",
      { conferences: [conference({ start_date: "0000-01-01" })] },
      { "conferences[0].start_date": /expects a date/ },
    ],
    [
      "a guest checked in too early",
      { registrations: [{ ...guest, checked_in_at: "2031-05-01T17:30:00Z" }] },
      { "registrations[0].checked_in_at": /unless status is approved/ },
    ],
    [
      "a checked-in guest declined",
      { registrations: [{ ...guest, email: "gus@example.com", status: "declined" }] },
      { "registrations[0].checked_in_at": /unless status is approved/ },
    ],
    [
      "a state before a decline that was none",
      { registrations: [{ ...guest, status: "approved", previous_status: "pending" }] },
      { "registrations[0].previous_status": /unless status is declined/ },
    ],
    [
      "a speaker that moves",
      { speakers: [{ id: ids.zoe, event: "Second", name: "Zoë" }] },
      { "speakers[0].event": /cannot move/ },
    ],
  ])("%s is reported with its place", async (_, given, problems) => {
    const before = await transfer.exported();
    const outcome = await transfer.attempt(
      JSON.stringify({ ...given, conferences: [...(given.conferences ?? []), conference({ slug: "extra" })] }).replace(
        '"1e999"',
        "1e999",
      ),
    );
    if (outcome.ok) throw new Error("it was imported");
    expect(Object.fromEntries(outcome.problems.map(({ path, message }) => [path, message]))).toEqual(
      Object.fromEntries(
        Object.entries(problems).map(([path, message]) => [
          path,
          typeof message === "string" ? message : expect.stringMatching(message),
        ]),
      ),
    );
    expect(outcome.problemCount).toBe(Object.keys(problems).length);
    expect(await transfer.exported()).toBe(before);
  });

  test("is reported all at once, and not again for rows that refer to a wrong one", async () => {
    const outcome = await transfer.attempt({
      users: [{ email: "x", name: "X" }],
      conferences: [conference({ slug: "bad", timezone: "Mars/Base" })],
      events: [event({ conference: "bad", name: "Fine" }), event({ name: "Wrong", capacity: -1 })],
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

  test("a stored row without an id is refused when several match", async () => {
    await transfer.imported({ events: [event({ id: other, name: "Opening" })] });
    const outcome = await transfer.attempt({ events: [event({ name: "Opening" })] });
    expect(outcome).toMatchObject({
      problems: [{ path: "events[0]", message: expect.stringMatching(/^2 events have/) }],
    });
  });
});

describe("a file that cannot be read", () => {
  beforeEach(() => transfer.empty());

  test.each([
    ["", /is empty/],
    ["[]", /line 1: expects an object of lists/],
    ['{"events": {}}', /"events" expects a list/],
    ['{"users": [], "events": null}', /"events" expects a list/],
    ['{"users": [\n{"email": "a@b.example",\n', /line 3: ends too early/],
    ['{"users": []', /ends too early/],
    ['{"people": []}', /"people" is not a known list: expects users, /],
    ['{"users": [], "users": []}', /"users" is given twice/],
    ['{"users": [\n{"email": x}]}', /line 2: users\[0\] is not valid JSON/],
    ['{"users": [{"a": [1}, 2]}]}', /users\[0\] is not valid JSON/],
    ['{"users": [1,]}', /expects an item/],
    ['{"users": [1 2]}', /expects , or \]/],
    ['{"users": []} x', /expects nothing after/],
    [`{"users": [${"[".repeat(200)}]}`, /nested more than 100 levels/],
    ["\ufeff{}", /byte order mark/],
    [Buffer.from('{"users": [{"name": "\xe9"}]}', "latin1"), /not valid UTF-8/],
  ])("%j", async (text, message) => {
    await expect(transfer.attempt(text)).rejects.toThrow(message);
  });

  test.each([1, 3, 7])("is the same file in pieces of %i bytes", async (size) => {
    const bytes = Buffer.from(JSON.stringify(document(), null, 1));
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    );
    const outcome = await transfer.attempt(pieces);
    expect(outcome).toMatchObject({ ok: true, lists: { segments: { added: 1 } } });
  });
});
