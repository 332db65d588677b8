import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hashPassword } from "../../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../../src/sign-in/passwords.js";
import { legacy } from "../mcp/messages.js";
import { type CallOptions, call } from "../support/call.js";
import { makerOn } from "../support/make.js";
import { withFakeTime } from "../support/needs.js";
import { fakeTimeLibrary } from "../support/programs.js";
import { until } from "../support/until.js";
import { type PostgresServer, startPostgresServer } from "./postgres-server.js";
import { type LoadedService, repeats, startLoadedService, withDatabaseOf } from "./under-load.js";

const password = "four unrelated words";
const consoleLimit = 30;

withFakeTime("a clock that is set under load", { repeats }, () => {
  const directory = mkdtempSync(join(tmpdir(), "svc-clock-"));
  const file = join(directory, "offset");
  afterAll(() => rmSync(directory, { recursive: true }));

  /** The time of day is what the file says; timers and durations are not affected, as with a real clock. */
  const fakeTime = {
    LD_PRELOAD: fakeTimeLibrary,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  };
  const setClock = (offsetSeconds: number) => writeFileSync(file, `${offsetSeconds < 0 ? "" : "+"}${offsetSeconds}s\n`);

  describe.each([
    ["of the service", {}],
    ["of the service and of the database", fakeTime],
  ])("%s", (which, environmentOfDatabase) => {
    let postgres: PostgresServer;
    let loaded: LoadedService;
    beforeAll(async () => {
      chmodSync(directory, 0o755);
      setClock(0);
      postgres = await startPostgresServer(undefined, environmentOfDatabase);
      const env = { DATABASE_URL: postgres.url, CONSOLE_LIMIT: String(consoleLimit), ...fakeTime };
      loaded = await startLoadedService(env, postgres.url);
    });
    afterAll(async () => {
      await loaded.close();
      await postgres.remove();
    });

    /** The timers of PostgreSQL compare times of day: a statement may be canceled, is refused with 503, and sent again. */
    const request = (path: string, options: CallOptions = {}) =>
      until(async () => {
        const reply = await call(loaded.service.ready.url, path, options);
        const isRefused = reply.status === 503 || reply.text.includes('"code":"unavailable"');
        return (which === "of the service" || !isRefused) && reply;
      });

    async function signIn(email: string): Promise<() => ReturnType<typeof request>> {
      const headers = { origin: loaded.service.ready.url };
      const reply = await request("/api/console/sign-in", { method: "POST", body: { email, password }, headers });
      const cookie = reply.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
      return () => request("/api/console/session", { headers: { ...headers, cookie } });
    }

    const makePerson = () =>
      withDatabaseOf(postgres.url, async (db) => {
        const make = makerOn(db);
        const id = await make.member(await make.organization());
        await savePasswordHash(db, id, await hashPassword(password));
        const [row] = await db.query<{ email: string }>(sql`select email from users where id = ${id}`);
        return row?.email ?? "";
      });

    it("by an hour, there and back, ends no session, limit, page or commit too early or too late", async () => {
      const [session, limited] = [await signIn(await makePerson()), await signIn(await makePerson())];
      const refused = await loaded.underLoad(async (_load, { adminKey, organizationKey, posters }) => {
        const page = async (cursor = "") =>
          (await request(`/api/svc/posters?limit=5${cursor}`, { key: adminKey })).json as {
            items: { id: string }[];
            pagination: { next_cursor: string };
          };
        const { next_cursor: cursor } = (await page()).pagination;
        const ids = async () => (await page(`&cursor=${cursor}`)).items.map(({ id }) => id);
        const second = await ids();
        const tool = async (args: Record<string, unknown>) => {
          const body = legacy("tools/call", { name: "update_organization_profile", arguments: args });
          return (await request("/api/mcp", { key: organizationKey, method: "POST", body })).json.result
            .structuredContent;
        };
        const { commit_with: commit } = await tool({ website_url: `https://${posters[0]}.example.com` });
        const records = new Set<string>();
        const limitedUntil = performance.now() + 60_000;
        while ((await limited()).status === 200);
        for (const offset of [3_600, 0, -3_600, 0]) {
          setClock(offset);
          const clock = await until(async () => {
            const now = Date.parse((await request("/livez")).headers.get("date") ?? "");
            return Math.abs(now - Date.now() - offset * 1000) < 60_000 && now;
          });
          expect((await session()).status).toBe(200);
          expect(await ids()).toEqual(second);
          records.add((await tool({ ...commit, reason: "A test" })).record_id);
          const ping = await request("/api/svc/ping", { key: adminKey });
          const resetMs = Number(ping.headers.get("x-ratelimit-reset")) * 1000 - clock;
          expect(resetMs).toBeGreaterThan(0);
          expect(resetMs).toBeLessThan(120_000);
          const { status, headers } = await limited();
          if (performance.now() < limitedUntil) {
            expect(status).toBe(429);
            expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
          }
          await sleep(1_000);
        }
        expect([...records]).toEqual([expect.any(String)]);
        // No later than a minute after its first request, by any clock.
        await until(async () => (await limited()).status === 200, 90_000);
      });
      if (which === "of the service") expect(refused).toBe(0);
    });
  });
});
