import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listStoredPosts } from "../../examples/stand-in-network.js";
import { type Make, makerOn } from "../support/make.js";
import { type Service, startService } from "../support/service.js";
import {
  networkFolder,
  removeState,
  reportedLinks,
  runAgent,
  type Stage,
  setStage,
  storedHashes,
} from "./agent-stage.js";
import { type Passing, startTappedProxy, type Tap, type TappedProxy } from "./tapped-proxy.js";

let service: Service;
let make: Make;
const cleanups: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
});
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  await service.close();
});

async function stageWith(count: number): Promise<Stage> {
  const stage = await setStage(service, make, count);
  cleanups.push(() => removeState(stage));
  return stage;
}

async function proxyTo(target: string, tap: Tap): Promise<TappedProxy> {
  const proxy = await startTappedProxy(target, tap);
  cleanups.push(proxy.close);
  return proxy;
}

const isPatch = ({ method }: Passing) => method === "PATCH";
const secondsFromNow = (seconds: number) => String(Math.ceil(Date.now() / 1000) + seconds);

async function expectAllPostedOnce(stage: Stage): Promise<void> {
  expect(await storedHashes(networkFolder(stage))).toEqual(stage.posters.map(({ hash }) => hash).sort());
  expect((await reportedLinks(service, stage)).every((link) => link !== undefined)).toBe(true);
}

describe("patience", () => {
  const refusals: [string, () => Record<string, string>][] = [
    ["Retry-After", () => ({ "retry-after": "1", "x-ratelimit-reset": secondsFromNow(60) })],
    ["X-RateLimit-Reset", () => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": secondsFromNow(1) })],
  ];
  it.each(refusals)("waits as long as the %s of a 429 says, on reads and on the PATCH", async (_, headers) => {
    const stage = await stageWith(2);
    const refused: number[] = [];
    const proxy = await proxyTo(service.url, {
      before: (passing) => {
        const count = proxy.seen.filter(({ method }) => method === passing.method).length;
        if (count !== 2) return undefined;
        refused.push(proxy.seen.indexOf(passing));
        return { status: 429, headers: headers(), body: '{"error": "Rate limit exceeded"}' };
      },
    });
    const { code, json, stderr } = await runAgent(stage, proxy.url);
    expect(code).toBe(0);
    expect(json.summary).toMatchObject({ posted: 2, failed: 0 });
    expect(stderr).toContain("too many requests");
    expect(refused.length).toBe(2);
    for (const index of refused) {
      const [turnedAway, again] = [proxy.seen[index], proxy.seen[index + 1]];
      expect([again?.method, again?.path]).toEqual([turnedAway?.method, turnedAway?.path]);
      expect((again?.atMs ?? 0) - (turnedAway?.atMs ?? 0)).toBeGreaterThanOrEqual(900);
    }
    await expectAllPostedOnce(stage);
  });

  it("asks no more when nothing remains in the window, until it is over", async () => {
    const stage = await stageWith(2);
    let overAtMs = 0;
    const proxy = await proxyTo(service.url, {
      after: (passing, headers) => {
        if (!isPatch(passing) || overAtMs > 0) return;
        headers["x-ratelimit-remaining"] = "0";
        headers["x-ratelimit-reset"] = secondsFromNow(1);
        overAtMs = Number(headers["x-ratelimit-reset"]) * 1000;
      },
    });
    expect((await runAgent(stage, proxy.url)).code).toBe(0);
    const [, second] = proxy.seen.filter(isPatch);
    expect(second?.atMs).toBeGreaterThanOrEqual(overAtMs - 5);
    await expectAllPostedOnce(stage);
  });

  it("needs 4 reads and one PATCH a poster: 10 requests a minute are enough for 6 posters", async () => {
    const limited = await startService({ limits: { rest: 10, ticketing: 30, mcp: 120 } });
    cleanups.push(limited.close);
    const stage = await stageWith(6);
    const { code, json, stderr } = await runAgent(stage, limited.url);
    expect([code, json.summary.posted, stderr]).toEqual([0, 6, ""]);
    expect((await limited.call("/api/svc/ping", { key: stage.key })).status).toBe(429);
    await expectAllPostedOnce(stage);
  });

  it("tries again after failures and cut lines, a bounded number of times", async () => {
    const stage = await stageWith(2);
    const proxy = await proxyTo(service.url, {
      before: (passing) => {
        const count = proxy.seen.filter(
          ({ method, path }) => method === passing.method && path === passing.path,
        ).length;
        if (count > 1) return undefined;
        return isPatch(passing) ? "cut" : { status: 503, body: '{"error": "Not now"}' };
      },
    });
    expect((await runAgent(stage, proxy.url)).code).toBe(0);
    await expectAllPostedOnce(stage);

    const dead = await proxyTo(service.url, { before: () => ({ status: 500, headers: { "retry-after": "0" } }) });
    const { code, stderr } = await runAgent(stage, dead.url);
    expect(code).toBe(1);
    expect(dead.seen.length).toBe(5);
    expect(stderr).toContain("answered 500");
  });
});

describe("refusals", () => {
  it("says what to do about a key that is not valid", async () => {
    const stage = await stageWith(1);
    const { code, stderr } = await runAgent(stage, service.url, [], "svc_mk_wrong");
    expect(code).toBe(1);
    expect(stderr).toContain("Invalid or expired API key");
    expect(stderr).toContain("SVC_KEY");
  });

  it("posts nothing with a key that could never report", async () => {
    const stage = await stageWith(1);
    const key = await make.organizationKey(stage.organization, { scopes: ["conferences:read"] });
    const { code, stderr } = await runAgent(stage, service.url, [], key);
    expect(code).toBe(1);
    expect(stderr).toContain("events:write");
    await expect(listStoredPosts(networkFolder(stage))).rejects.toThrow("ENOENT");
  });

  it("stops when the service refuses a link, and the next run reports it without posting again", async () => {
    const stage = await stageWith(3);
    let refuse = true;
    const proxy = await proxyTo(service.url, {
      before: (passing) => (refuse && isPatch(passing) ? { status: 403, body: '{"error": "No"}' } : undefined),
    });
    const refused = await runAgent(stage, proxy.url);
    expect(refused.code).toBe(1);
    expect(refused.json.summary).toMatchObject({ posted: 0, unreported: 1 });
    expect(refused.json.posters[0].problem).toContain("events:write");
    refuse = false;
    const allowed = await runAgent(stage, proxy.url);
    expect(allowed.json.summary).toMatchObject({ posted: 2, linked: 1, unreported: 0 });
    await expectAllPostedOnce(stage);
  });

  it("keeps the key out of what it prints, writes and sends elsewhere", async () => {
    const stage = await stageWith(1);
    const sent: string[] = [];
    const proxy = await proxyTo(service.url, {
      before: ({ path, authorization }) => void sent.push(`${path} ${authorization}`),
    });
    await service.db.query(sql`
      update posters set image_url = replace(image_url, ${service.url}, ${proxy.url})
      where id = ${stage.posters[0]?.id}`);
    const { stdout, stderr } = await runAgent(stage, service.url);
    const journal = await readFile(join(stage.state, "journal.jsonl"), "utf8");
    expect(stdout + stderr + journal).not.toContain(stage.key);
    expect(sent).toEqual([expect.stringMatching(/^\/images\/.* undefined$/)]);
  });

  it.each([
    [["--platform", "a b"], "--platform expected"],
    [["--page-size", "0"], "--page-size expected"],
    [["--wrong"], "--wrong"],
  ])("explains wrong usage: %j", async (args, problem) => {
    const stage = await stageWith(1);
    const { code, stderr } = await runAgent(stage, service.url, args);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });
});
