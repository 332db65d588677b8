import sql from "sql-template-tag";
import stringWidth from "string-width";
import { beforeAll, describe, expect, it } from "vitest";
import { scopes } from "../../contract/scopes.js";
import { useService } from "../support/setup.js";
import { workerDatabase } from "../support/worker-database.js";
import { parse } from "./parse.js";
import { expectRefusal } from "./refusal.js";
import { runCommand } from "./run-command.js";

const { service, db, make } = useService();
let conference: { id: string; slug: string };
let organization: { id: string; slug: string };
let member: { id: string; email: string };

beforeAll(async () => {
  const one = async <Row extends object>(statement: ReturnType<typeof sql>) => {
    const [row] = await db.query<Row>(statement);
    if (row === undefined) throw new Error("no such row");
    return row;
  };
  conference = await one(sql`select id, slug from conferences where id = ${await make.conference()}`);
  organization = await one(sql`select id, slug from organizations where id = ${await make.organization()}`);
  member = await one(sql`select id, email from users where id = ${await make.member(organization.id)}`);
});

const keys = (...args: string[]) => runCommand(["keys", ...args], workerDatabase.env);
const create = async (...args: string[]) => {
  const result = await keys("create", ...args, "--json");
  expect(result).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(result.stdout);
};
const ping = async (key: string) => (await service.call("/api/svc/ping", { key })).status;
const organizationOptions = () => ["--organization", organization.slug, "--user", member.email];

describe("svc keys create", () => {
  it("creates a super-admin key that works immediately", async () => {
    const created = await create("--tier", "super-admin", "--name", "Operations");
    expect(Object.keys(created)).toEqual([
      ...["id", "key", "name", "tier", "scopes", "conference_id", "organization_id", "expires_at"],
    ]);
    expect(created).toMatchObject({ name: "Operations", tier: "super-admin", scopes: null, expires_at: null });
    expect(created.key).toMatch(/^svc_mk_[0-9A-Za-z]{43}$/);
    expect(await ping(created.key)).toBe(200);
  });

  it.each(["slug", "id"] as const)("creates a conference key by %s", async (by) => {
    const created = await create("--tier", "conference", "--name", "Bot", "--conference", conference[by]);
    expect(created).toMatchObject({ tier: "conference", conference_id: conference.id, organization_id: null });
    expect(await ping(created.key)).toBe(200);
  });

  it("creates an organization key of 90 days for a member; the e-mail is case-insensitive", async () => {
    const created = await create(
      ...["--tier", "organization", "--name", "Agent", "--organization", organization.id],
      ...["--user", member.email.toUpperCase(), "--scopes", " org:read, conferences:read,org:read"],
    );
    expect(created).toMatchObject({ tier: "organization", organization_id: organization.id, conference_id: null });
    expect(created.scopes).toEqual(["conferences:read", "org:read"]);
    expect(daysLeft(created.expires_at)).toBeCloseTo(90, 1);
    expect(await ping(created.key)).toBe(200);
  });

  it("sets the lifetime to the given number of days", async () => {
    const common = ["--name", "Short", "--expires-in-days"];
    const short = await create("--tier", "super-admin", ...common, "1");
    const longest = await create(
      "--tier",
      "organization",
      ...organizationOptions(),
      "--scopes",
      "org:read",
      ...common,
      "90",
    );
    expect(daysLeft(short.expires_at)).toBeCloseTo(1, 1);
    expect(daysLeft(longest.expires_at)).toBeCloseTo(90, 1);
    expect(await ping(short.key)).toBe(200);
    await db.query(sql`
      update api_keys set created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day'
      where id = ${short.id}`);
    expect(await ping(short.key)).toBe(401);
  });

  it("prints the key on the first line", async () => {
    const result = await keys("create", "--tier", "super-admin", "--name", "会議 👩‍👩‍👧");
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(/^svc_mk_[0-9A-Za-z]{43}\n\n {2}name {5}会議 👩‍👩‍👧\n/);
    expect(result.stdout).not.toContain("\x1b");
  });
});

describe("svc keys create refuses", () => {
  const name = ["--name", "x"];
  const usageErrors: [string, string[], RegExp][] = [
    ["no tier", name, /required option '--tier <tier>' not specified/],
    ["an unknown tier", ["--tier", "root", ...name], /super-admin, conference, organization/],
    ["no name", ["--tier", "super-admin"], /required option '--name <name>' not specified/],
    ["a blank name", ["--tier", "super-admin", "--name", " "], /not blank/],
    [
      "a name with a control character",
      ["--tier", "super-admin", "--name", "a\x1b[31mb"],
      /U\+001B \(a control character\)/,
    ],
    ["a name over 200 characters", ["--tier", "super-admin", "--name", "x".repeat(201)], /at most 200/],
    ["a conference key without a conference", ["--tier", "conference", ...name], /needs --conference/],
    [
      "a conference for a super-admin key",
      ["--tier", "super-admin", ...name, "--conference", "c"],
      /for conference keys/,
    ],
    [
      "scopes for a conference key",
      ["--tier", "conference", ...name, "--conference", "c", "--scopes", "org:read"],
      /--organization, --user and --scopes are for organization keys/,
    ],
    [
      "a user for a super-admin key",
      ["--tier", "super-admin", ...name, "--user", "a@example.com"],
      /--organization, --user and --scopes are for organization keys/,
    ],
    [
      "an organization key without scopes",
      ["--tier", "organization", ...name, "--organization", "o", "--user", "u"],
      /an organization key needs --organization, --user and --scopes/,
    ],
    [
      "an unknown scope",
      ["--tier", "organization", ...name, "--scopes", "org:read,org:admin"],
      /Expected a comma-separated list of conferences:read, org:read, org:write/,
    ],
    [
      "no scope",
      ["--tier", "organization", ...name, "--scopes", ""],
      /Expected a comma-separated list of conferences:read/,
    ],
    ["zero days", ["--tier", "super-admin", ...name, "--expires-in-days", "0"], /number of days/],
    ["half a day", ["--tier", "super-admin", ...name, "--expires-in-days", "0.5"], /number of days/],
    ["an argument", ["--tier", "super-admin", ...name, "extra"], /too many arguments/],
  ];

  it.each(usageErrors)("%s", async (_, args, text) => {
    const result = await parse(["keys", "create", ...args]);
    expectRefusal(result, 2, text);
    expect(result.stderr).toMatch(/\nTry: svc keys create --help\n$/);
    expect(result.stderr).not.toContain("\x1b");
  });

  it("more than 90 days for an organization key", async () => {
    const args = ["--tier", "organization", ...name, ...organizationOptions(), "--scopes", "org:read"];
    expectRefusal(await parse(["keys", "create", ...args, "--expires-in-days", "91"]), 2, /at most 90 days/);
  });

  it.each<[string, () => string[], RegExp]>([
    ["an unknown conference", () => ["conference", "--conference", "nowhere"], /no conference has .* nowhere/],
    ["an unknown organization", () => ["organization", "--organization", "nobody", "--user", member.email], /nobody/],
    [
      "an unknown user",
      () => ["organization", "--organization", organization.slug, "--user", "who@example.com"],
      /who@example\.com/,
    ],
  ])("%s", async (_, options, text) => {
    const [tier = "", ...rest] = options();
    const more = tier === "organization" ? ["--scopes", scopes.join(",")] : [];
    expectRefusal(await keys("create", "--tier", tier, ...name, ...rest, ...more), 1, text);
  });

  it("a user who is not a member", async () => {
    const [stranger] = await db.query<{ email: string }>(sql`select email from users where id = ${await make.user()}`);
    const options = ["--organization", organization.slug, "--user", stranger?.email ?? "", "--scopes", "org:read"];
    expectRefusal(await keys("create", "--tier", "organization", ...name, ...options), 1, /is not a member of/);
  });
});

const superAdmin = ["--tier", "super-admin", "--name"];

describe("svc keys revoke", () => {
  it("takes effect immediately and is idempotent", async () => {
    const created = await create("--tier", "super-admin", "--name", "Old");
    expect(await ping(created.key)).toBe(200);
    const first = await keys("revoke", created.id);
    expect(await ping(created.key)).toBe(401);
    const again = JSON.parse((await keys("revoke", created.id.toUpperCase(), "--json")).stdout);
    expect(first).toMatchObject({ code: 0, stdout: `Revoked Old (${created.id}) at ${again.revoked_at}.\n` });
    expect(Object.keys(again)).toEqual(["id", "name", "revoked_at"]);
  });

  it("refuses an unknown or invalid id", async () => {
    expectRefusal(await keys("revoke", "00000000-0000-4000-8000-000000000000"), 1, /no key has the id/);
    expectRefusal(await keys("revoke", "Operations"), 2, /Expected a key's id \(a UUID\), or the beginning of a key/);
    expectRefusal(await keys("revoke", "svc_mk_?"), 1, /no key that works begins with these characters/);
    expectRefusal(await parse(["keys", "revoke"]), 2, /missing required argument 'key'/);
  });

  it.each([
    ["its first characters", (key: string) => key.slice(0, 12)],
    ["its first characters as the list shows them", (key: string) => `${key.slice(0, 12)}…`],
    ["the whole key", (key: string) => key],
  ])("finds a key by %s, and neither prints nor records it", async (_, shorten) => {
    const created = await create("--tier", "super-admin", "--name", "Leaked");
    const result = await keys("revoke", shorten(created.key), "--json");
    expect(JSON.parse(result.stdout)).toMatchObject({ id: created.id, name: "Leaked" });
    expect(await ping(created.key)).toBe(401);
    const secret = created.key.slice(12);
    const records = await db.query<{ text: string }>(
      sql`select r::text as text from mutation_records r where tool = 'svc:keys revoke' and position(${secret} in r::text) > 0`,
    );
    expect([records, result.stdout.includes(secret)]).toEqual([[], false]);
  });

  it("refuses characters with which several keys that work begin, and names them", async () => {
    const [one, two] = [await create(...superAdmin, "one"), await create(...superAdmin, "two")];
    await db.query(sql`update api_keys set key_prefix = 'svc_mk_SAME1' where id = any(${[one.id, two.id]})`);
    const result = await keys("revoke", "svc_mk_SAME");
    expectRefusal(result, 1, /several keys begin with these characters; use an id instead: /);
    for (const { id } of [one, two]) expect(result.stderr).toContain(id);
    await keys("revoke", one.id);
    expect(JSON.parse((await keys("revoke", "svc_mk_SAME", "--json")).stdout).id).toBe(two.id);
  });
});

describe("svc keys list", () => {
  it("shows every state but no key", async () => {
    const option = ["--tier", "super-admin", "--name"];
    const [active, expired, revoked] = [
      await create(...option, "s-active"),
      await create(...option, "s-expired", "--expires-in-days", "1"),
      await create(...option, "s-revoked"),
    ];
    const leaver = await make.member(organization.id);
    const inactive = await make.organizationKey(organization.id, { userId: leaver });
    await db.query(sql`delete from members where user_id = ${leaver}`);
    await db.query(sql`
      update api_keys set created_at = created_at - interval '1 day', expires_at = expires_at - interval '1 day'
      where id = ${expired.id}`);
    await keys("revoke", revoked.id);
    const { code, stdout } = await keys("list", "--json");
    const rows = JSON.parse(stdout) as { id: string; state: string; prefix: string }[];
    const stateOf = (id: string) => rows.find((row) => row.id === id)?.state;
    expect(code).toBe(0);
    expect([active, expired, revoked].map(({ id }) => stateOf(id))).toEqual(["active", "expired", "revoked"]);
    expect(stateOf(await make.keyId(inactive))).toBe("inactive");
    const table = (await keys("list")).stdout;
    for (const { key } of [active, expired, revoked]) {
      expect(stdout + table).not.toContain(key);
      expect(table).toContain(`${key.slice(0, 12)}…`);
    }
  });

  it("aligns its columns for any name, and fits 100 columns", async () => {
    const names = [
      "会議の鍵",
      "👩‍👩‍👧 family",
      "کلید",
      "e\u0301te\u0301",
      "🇵🇹",
      "turn\u202earound",
      "line\u2028end",
      "x".repeat(200),
    ];
    const keyNames = await Promise.all(names.map(() => make.superAdminKey()));
    for (const [n, name] of names.entries()) {
      await db.query(sql`update api_keys set name = ${name} where id = ${await make.keyId(keyNames[n] ?? "")}`);
    }
    const longSlug = await make.organization();
    await db.query(sql`update organizations set slug = ${"long-".repeat(15) + longSlug} where id = ${longSlug}`);
    await make.organizationKey(longSlug);
    const all = (await keys("list")).stdout.trimEnd().split("\n");
    const [head = "", ...rows] = all;
    expect(head).toMatch(/^KEY +NAME +REACHES +STATE +EXPIRES +LAST USED$/);
    for (const line of all) expect(stringWidth(line), line).toBeLessThanOrEqual(100);
    const lines = [head, ...rows.filter((row) => keyNames.some((key) => row.startsWith(key.slice(0, 12))))];
    expect(lines).toHaveLength(1 + names.length);
    const reachAt = lines.map((line) => stringWidth(line.slice(0, line.search(/REACHES|everything/))));
    expect(new Set(reachAt)).toEqual(new Set([reachAt[0]]));
    for (const line of lines) expect(line).not.toMatch(/[\u202e\u2028]/);
  });

  it("says what a key reaches", async () => {
    const short = await make.organization();
    await db.query(sql`update organizations set slug = 'o-reach' where id = ${short}`);
    await db.query(sql`update conferences set slug = 'c-reach' where id = ${conference.id}`);
    const created = await Promise.all([
      make.superAdminKey(),
      make.conferenceKey(conference.id),
      make.organizationKey(short),
      make.organizationKey(short, { scopes: ["org:read"] }),
      make.organizationKey(short, { scopes: ["org:read", "events:write"] }),
    ]);
    const rows = (await keys("list")).stdout.split("\n");
    expect(created.map((key) => rows.find((row) => row.startsWith(key.slice(0, 12)))?.split(/ {2,}/)[2])).toEqual([
      "everything",
      "conference c-reach",
      "o-reach, all scopes",
      "o-reach, org:read",
      "o-reach, 2 scopes",
    ]);
  });
});

function daysLeft(expiresAt: string): number {
  return (Date.parse(expiresAt) - Date.now()) / 86_400_000;
}
