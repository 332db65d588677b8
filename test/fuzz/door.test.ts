import sql from "sql-template-tag";
import { expect, it } from "vitest";
import { pinDigits } from "../../contract/door-links.js";
import { consoleRoutes } from "../../src/registry.js";
import { startConsole } from "../console/support.js";
import { createEventFixture } from "../support/event-fixture.js";
import { createRandom, type Random } from "../support/random.js";
import { useService } from "../support/setup.js";

/**
 * What a phone at the door and a form with a picture may send, valid and not: no 5xx, and no address of a guest. FUZZ_SEED
 * repeats a run.
 */

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const { service } = useService(() => startConsole({}, { consoleLimit: 100_000, trustedProxy: 1 }));

const names = [
  ..."Ada|\u0000|\ud800|\u202eadA|\ufeff|👩‍👩‍👧‍👦|ي".split("|"),
  ...[
    "İ".repeat(300),
    "a\r\nb",
    " ",
    "<script>alert(1)</script>",
    "'; drop table registrations; --",
    "\u{10ffff}",
    "%00",
  ],
];
const emails = ["a@b.example", "ä@ü.example", "@", "a@b@c", "a\u0000@b.example", `${"x".repeat(400)}@b.example`];
const odd: unknown[] = [null, 0, -1, 1e308, true, [], [[]], {}, { toString: 1 }, "", "__proto__"];

const allowed = [200, 201, 204, 400, 401, 403, 404, 409, 413, 415, 429];

it(`the door and uploads refuse what they cannot use, of seed ${seed}`, { timeout: 300_000 }, async () => {
  const random = createRandom(seed);
  const fixture = await createEventFixture(service.db);
  const owner = await service.signIn(fixture.caller.userId);
  const args = { event_id: fixture.eventId, name: "Main entrance" };
  const { json } = await service.change(fixture.organizationId, owner, "create_door_link", args);
  const token = json.link.split("#")[1] as string;
  const opened = await service.post("door", undefined, { token, pin: json.pin });
  const door = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const guests = await service.db.query<{ email: string }>(
    sql`select email from registrations where event_id = ${fixture.eventId}`,
  );
  const paths = consoleRoutes.filter(({ path }) => /\/console\/door(\/|$)/.test(path));
  expect(paths.length).toBeGreaterThan(9);
  const statuses = new Set<number>();
  for (let sent = 0; sent < 400; sent += 1) {
    const { method, path } = random.pick(paths);
    // It would end the session.
    if (path.endsWith("/close")) continue;
    const url = path.replace(":registration", inUrl(orOdd(random, fixture.registrationIds.approved)));
    const query = random.chance(0.3) ? `?since=${inUrl(random.pick([...names, ...odd]))}` : "";
    const response = await fetch(service.url + url + query, {
      method,
      headers: {
        origin: service.url,
        // Guesses come without the cookie of the session too.
        cookie: random.chance(0.9) ? door : "svc_door=x",
        "content-type": random.chance(0.9) ? "application/json" : "text/plain",
        "x-forwarded-for": `198.51.100.${random.below(250)}`,
      },
      ...(method === "POST" ? { body: bodyOf(random, { token, registration: fixture.registrationIds.approved }) } : {}),
    });
    const text = await response.text();
    expect(allowed, `${method} ${url}: ${text}`).toContain(response.status);
    statuses.add(response.status);
    for (const { email } of guests) expect(text).not.toContain(email);
  }
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400]));
  for (let sent = 0; sent < 100; sent += 1) {
    const use = random.pick(["photo", "banner", "__proto__", "toString", "", "logo&use=tile", "tile&event=x"]);
    const kind = random.pick([
      "image/png",
      "image/jpeg",
      "image/svg+xml",
      "application/json",
      "multipart/form-data",
      "x",
    ]);
    const response = await fetch(
      `${service.url}/api/console/organizations/${fixture.organizationId}/images?use=${use}`,
      {
        method: "POST",
        headers: { origin: service.url, cookie: owner, "content-type": kind },
        body: bodyOf(random, { token, registration: "" }),
      },
    );
    expect([400, 415], await response.text()).toContain(response.status);
  }
});

const inUrl = (value: unknown) =>
  encodeURIComponent(typeof value === "string" ? value.toWellFormed() : `${JSON.stringify(value)}`);

function orOdd(random: Random, right: unknown): unknown {
  if (random.chance(0.5)) return right;
  return random.pick([...names, ...odd]);
}

/** A body of one of the requests, in which some values are wrong, and which may end too early. */
function bodyOf(random: Random, { token, registration }: { token: string; registration: string }): string {
  const fields: Record<string, unknown> = {
    token: orOdd(random, random.chance(0.5) ? token : "x".repeat(43)),
    pin: orOdd(random, String(random.below(10 ** pinDigits)).padStart(pinDigits, "0")),
    registration_id: orOdd(random, registration),
    checked_in: orOdd(random, true),
    name: random.pick(names),
    email: random.pick(emails),
    code: orOdd(random, "code"),
    reason: orOdd(random, "At the door"),
    idempotency_key: orOdd(random, `key ${random.below(5)}`),
    expected_version: orOdd(random, "x"),
  };
  const sets = [["token", "pin"], ["registration_id", "checked_in"], ["name", "email"], ["code"]];
  const commit = random.chance(0.5) ? ["reason", "idempotency_key", "expected_version"] : [];
  const chosen = [...random.pick(sets), ...commit].map((name) => [name, fields[name]]);
  const text = JSON.stringify(random.chance(0.1) ? random.pick(odd) : Object.fromEntries(chosen));
  return random.chance(0.1) ? text.slice(0, random.below(text.length)) : text;
}
