import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { linkEvent } from "../../src/modules/events/admin-store.js";
import { parse } from "../cli/parse.js";
import { expectRefusal } from "../cli/refusal.js";
import { useFreshDatabase } from "../support/fresh-database.js";
import { makerOn } from "../support/make.js";
import { testOperator } from "../support/operator.js";
import { startCommand, svc } from "../support/svc.js";
import { until } from "../support/until.js";
import { fetchJson } from "./support/sandbox.js";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-ticketing-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("svc ticketing-sandbox", () => {
  const start = (...args: string[]) => startCommand(["ticketing-sandbox", "--json", ...args]);
  const readyOf = (running: { ready: unknown }) =>
    running.ready as { url: string; api_key: string; outbox_url: string; events: number };

  it("loses no acknowledged write when it is killed", async () => {
    const seed = join(folder, "seed.json");
    const state = join(folder, "state.jsonl");
    const event = {
      id: "evt-A",
      name: "A",
      start_at: "2030-01-01T10:00:00Z",
      end_at: "2030-01-01T11:00:00Z",
      timezone: "UTC",
    };
    writeFileSync(seed, JSON.stringify({ events: [event] }));
    const first = await start("--seed", seed, "--state", state, "--limit", "0");
    const { url, api_key } = readyOf(first);
    const acknowledged: string[] = [];
    const write = async (number: number) => {
      const email = `guest${number}@example.com`;
      const reply = await fetchJson(`${url}/event/add-guests`, {
        method: "POST",
        headers: { "x-luma-api-key": api_key },
        body: JSON.stringify({ event_id: "evt-A", guests: [{ email }] }),
      });
      if (reply.status === 200) acknowledged.push(email);
      await write(number + 10);
    };
    const writers = Array.from({ length: 10 }, (_, number) => write(number).catch(() => {}));
    await until(() => acknowledged.length > 100);
    await first.stop("SIGKILL");
    await Promise.all(writers);
    const second = await start("--state", state, "--key", "known", "--limit", "0");
    try {
      const { entries } = (await fetchJson(readyOf(second).outbox_url)).json;
      const mailed = new Set(entries.map(({ to }: { to: string }) => to));
      expect(acknowledged.filter((email) => !mailed.has(email))).toEqual([]);
      const reply = await fetchJson(
        `${readyOf(second).url}/event/get-guest?event_id=evt-A&email=${acknowledged.at(-1)}`,
        {
          headers: { "x-luma-api-key": "known" },
        },
      );
      expect(reply.status).toBe(200);
    } finally {
      await second.stop();
    }
  });

  it("reports invalid files and options", async () => {
    const bad = join(folder, "bad.json");
    writeFileSync(bad, JSON.stringify({ events: [{ id: "A", name: "", start_at: "soon" }] }));
    const wrong = await svc(["ticketing-sandbox", "--seed", bad]);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/bad\.json: events\[0\]\.id: expected .*start_at/),
    ]);
    await expect(parse(["ticketing-sandbox", "--seed", join(folder, "none")])).rejects.toThrow("ENOENT");
    expectRefusal(await parse(["ticketing-sandbox", "--port", "x"]), 2, /Expected an integer from 0 to 65535/);
  });
});

describe("svc events link", () => {
  const fresh = useFreshDatabase();

  it("links by id or unique name, and unlinks", async () => {
    const make = makerOn(fresh.db);
    const conference = await make.conference();
    const [one, two] = [await make.event(conference), await make.event(conference)];
    const link = (...args: string[]) => svc(["events", "link", ...args], fresh.env);
    const json = await link(one, "--ticketing-id", "evt-One", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ id: one, name: "Test Event", ticketing_event_id: "evt-One" });

    const taken = await link(two, "--ticketing-id", "evt-One");
    expect([taken.code, taken.stdout]).toEqual([1, ""]);
    expect(taken.stderr).toBe(`svc: evt-One is already linked to Test Event (${one}); unlink that event first\n`);
    await expect(linkEvent(fresh.db, testOperator, "Test Event", "evt-Two")).rejects.toThrow(`${two} (`);
    await expect(linkEvent(fresh.db, testOperator, "Nothing", "evt-Two")).rejects.toThrow(
      "no event has the id or name Nothing",
    );

    expect((await link(one, "--unlink")).stdout).toContain("is not linked");
    expect((await linkEvent(fresh.db, testOperator, two, "evt-One")).ticketing_event_id).toBe("evt-One");
    expectRefusal(await parse(["events", "link", two]), 2, /expected either --ticketing-id or --unlink/);
    const url = ["--ticketing-id", "https://luma.example.com/talk"];
    expectRefusal(await parse(["events", "link", two, ...url]), 2, /Expected an event id of the platform/);
  });
});
