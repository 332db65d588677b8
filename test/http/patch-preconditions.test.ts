import sql from "sql-template-tag";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorBody } from "../support/error-body.js";
import { useService } from "../support/setup.js";

const { service, db, make } = useService();
let key: string;
let event: string;
let path: string;

beforeAll(async () => {
  key = await make.superAdminKey();
  event = await make.event(await make.conference());
});
beforeEach(async () => {
  path = `/api/svc/posters/${await make.poster(event)}`;
});

const etagOf = async (headers: Record<string, string> = {}) =>
  (await service.call(path, { key, headers })).headers.get("etag") ?? "";

const patch = (name: string, ifMatch?: string) =>
  service.call(path, {
    key,
    body: { posted_urls: { [name]: "https://social.example.com/1" } },
    ...(ifMatch === undefined ? {} : { headers: { "if-match": ifMatch } }),
  });

describe("the ETag of a PATCH", () => {
  it("is that of the GET after it, whether or not it changed something", async () => {
    for (let i = 0; i < 2; i++) {
      const { status, headers } = await patch("x");
      expect(status).toBe(200);
      expect(headers.get("etag")).toMatch(/^"[\w-]+"$/);
      expect(headers.get("etag")).toBe(await etagOf());
    }
  });
});

describe("If-Match", () => {
  it("lets one of two writers who read the same state win", async () => {
    const etag = await etagOf();
    const statuses = (await Promise.all([patch("x", etag), patch("y", etag)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412]);
  });

  it("accepts the current ETag, in a list too, and *", async () => {
    expect((await patch("a", await etagOf())).status).toBe(200);
    expect((await patch("b", `"other", ${await etagOf()}`)).status).toBe(200);
    expect((await patch("c", "*")).status).toBe(200);
  });

  it("accepts the ETag of a compressed response", async () => {
    const long = sql`jsonb_build_object('text', repeat('long ', 1000))`;
    await db.query(sql`update posters set metadata = ${long} where id = ${path.split("/").at(-1)}`);
    for (const coding of ["gzip", "br"]) {
      const etag = await etagOf({ "accept-encoding": coding });
      expect(etag).toContain(coding);
      expect((await patch(coding, etag)).status).toBe(200);
      expect((await patch(`${coding} again`, etag)).status).toBe(412);
    }
  });

  it.each(["stale", "weak", "unquoted", "empty"])("an ETag that is %s is a 412 and changes nothing", async (kind) => {
    const old = await etagOf();
    await patch("x");
    const current = await etagOf();
    const wrong = { stale: old, weak: `W/${current}`, unquoted: current.replaceAll('"', ""), empty: "" }[kind];
    const reply = await patch("y", wrong);
    expect(reply.status).toBe(412);
    expect(reply.json).toEqual(errorBody("precondition_failed", expect.stringContaining("read it again"), "If-Match"));
    expect(await etagOf()).toBe(current);
  });

  it("comes after the row: 404 and 403 are not hidden", async () => {
    const stranger = await make.organizationKey(await make.organization());
    const body = { posted_urls: {} };
    const headers = { "if-match": '"other"' };
    expect((await service.call(path, { key: stranger, body, headers })).status).toBe(403);
    await db.query(sql`delete from posters where id = ${path.split("/").at(-1)}`);
    expect((await service.call(path, { key, body, headers })).status).toBe(404);
  });
});
