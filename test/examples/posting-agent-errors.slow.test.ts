import { readFile } from "node:fs/promises";
import { join } from "node:path";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { listStoredPosts } from "../../examples/stand-in-network.js";
import { startService } from "../support/service.js";
import { networkFolder, runAgent, usePostingAgent } from "./agent-setup.js";
import type { ProxiedRequest } from "./intercepting-proxy.js";

const { service, db, make, cleanups, createFixture, proxyTo, expectAllPostedOnce } = usePostingAgent();

const isPatch = ({ method }: ProxiedRequest) => method === "PATCH";
const secondsFromNow = (seconds: number) => String(Math.ceil(Date.now() / 1000) + seconds);

// Concurrently, because most of their time is spent waiting as the service asks.
describe.concurrent("rate limits and retries", () => {
  const refusals: [string, () => Record<string, string>][] = [
    ["Retry-After", () => ({ "retry-after": "1", "x-ratelimit-reset": secondsFromNow(60) })],
    ["X-RateLimit-Reset", () => ({ "x-ratelimit-remaining": "0", "x-ratelimit-reset": secondsFromNow(1) })],
  ];
  it.each(refusals)("waits as long as the %s header of a 429 asks, for reads and for the PATCH", async (_, headers) => {
    const fixture = await createFixture(2);
    const refused: number[] = [];
    const proxy = await proxyTo(service.url, {
      before: (request) => {
        const count = proxy.requests.filter(({ method }) => method === request.method).length;
        if (count !== 2) return undefined;
        refused.push(proxy.requests.indexOf(request));
        return { status: 429, headers: headers(), body: '{"error": "Rate limit exceeded"}' };
      },
    });
    const { code, json, stderr } = await runAgent(fixture, proxy.url);
    expect(code).toBe(0);
    expect(json.summary).toMatchObject({ posted: 2, failed: 0 });
    expect(stderr).toContain("too many requests");
    expect(refused.length).toBe(2);
    for (const index of refused) {
      const [rejected, retried] = [proxy.requests[index], proxy.requests[index + 1]];
      expect([retried?.method, retried?.path]).toEqual([rejected?.method, rejected?.path]);
      expect((retried?.atMs ?? 0) - (rejected?.atMs ?? 0)).toBeGreaterThanOrEqual(900);
    }
    await expectAllPostedOnce(fixture);
  });

  it("sends no request while the window is exhausted", async () => {
    const fixture = await createFixture(2);
    let resetAtMs = 0;
    const proxy = await proxyTo(service.url, {
      after: (request, headers) => {
        if (!isPatch(request) || resetAtMs > 0) return;
        headers["x-ratelimit-remaining"] = "0";
        headers["x-ratelimit-reset"] = secondsFromNow(1);
        resetAtMs = Number(headers["x-ratelimit-reset"]) * 1000;
      },
    });
    expect((await runAgent(fixture, proxy.url)).code).toBe(0);
    const [, second] = proxy.requests.filter(isPatch);
    expect(second?.atMs).toBeGreaterThanOrEqual(resetAtMs - 5);
    await expectAllPostedOnce(fixture);
  });

  it("needs 4 reads and one PATCH per poster: 10 requests per minute are enough for 6 posters", async () => {
    const limited = await startService({ limits: { rest: 10, ticketing: 30, mcp: 120 } });
    cleanups.push(limited.close);
    const fixture = await createFixture(6);
    const { code, json, stderr } = await runAgent(fixture, limited.url);
    expect([code, json.summary.posted, stderr]).toEqual([0, 6, ""]);
    expect((await limited.call("/api/svc/ping", { key: fixture.key })).status).toBe(429);
    await expectAllPostedOnce(fixture);
  });

  it("retries after 5xx responses and broken connections, a bounded number of times", async () => {
    const fixture = await createFixture(2);
    const proxy = await proxyTo(service.url, {
      before: (request) => {
        const count = proxy.requests.filter(
          ({ method, path }) => method === request.method && path === request.path,
        ).length;
        if (count > 1) return undefined;
        return isPatch(request) ? "disconnect" : { status: 503, body: '{"error": "Unavailable"}' };
      },
    });
    expect((await runAgent(fixture, proxy.url)).code).toBe(0);
    await expectAllPostedOnce(fixture);

    const failing = await proxyTo(service.url, { before: () => ({ status: 500, headers: { "retry-after": "0" } }) });
    const { code, stderr } = await runAgent(fixture, failing.url);
    expect(code).toBe(1);
    expect(failing.requests.length).toBe(5);
    expect(stderr).toContain("responded with 500");
  });
});

describe("errors", () => {
  it("explains what to do about an invalid key", async () => {
    const fixture = await createFixture(1);
    const { code, stderr } = await runAgent(fixture, service.url, [], "svc_mk_wrong");
    expect(code).toBe(1);
    expect(stderr).toContain("Invalid or expired API key");
    expect(stderr).toContain("SVC_KEY");
  });

  it("posts nothing with a key that cannot report links", async () => {
    const fixture = await createFixture(1);
    const key = await make.organizationKey(fixture.organization, { scopes: ["conferences:read"] });
    const { code, stderr } = await runAgent(fixture, service.url, [], key);
    expect(code).toBe(1);
    expect(stderr).toContain("events:write");
    await expect(listStoredPosts(networkFolder(fixture))).rejects.toThrow("ENOENT");
  });

  it("stops when the service refuses a link; the next run reports it without posting again", async () => {
    const fixture = await createFixture(3);
    let refuse = true;
    const proxy = await proxyTo(service.url, {
      before: (request) => (refuse && isPatch(request) ? { status: 403, body: '{"error": "Forbidden"}' } : undefined),
    });
    const refused = await runAgent(fixture, proxy.url);
    expect(refused.code).toBe(1);
    expect(refused.json.summary).toMatchObject({ posted: 0, unreported: 1 });
    expect(refused.json.posters[0].problem).toContain("events:write");
    refuse = false;
    const allowed = await runAgent(fixture, proxy.url);
    expect(allowed.json.summary).toMatchObject({ posted: 2, linked: 1, unreported: 0 });
    await expectAllPostedOnce(fixture);
  });

  it("does not print the key, write it to the journal or send it to other hosts", async () => {
    const fixture = await createFixture(1);
    const sent: string[] = [];
    const proxy = await proxyTo(service.url, {
      before: ({ path, authorization }) => void sent.push(`${path} ${authorization}`),
    });
    await db.query(sql`
      update posters set image_url = replace(image_url, ${service.url}, ${proxy.url})
      where id = ${fixture.posters[0]?.id}`);
    const { stdout, stderr } = await runAgent(fixture, service.url);
    const journal = await readFile(join(fixture.state, "journal.jsonl"), "utf8");
    expect(stdout + stderr + journal).not.toContain(fixture.key);
    expect(sent).toEqual([expect.stringMatching(/^\/images\/.* undefined$/)]);
  });

  it.each([
    [["--platform", "a b"], "--platform: expected 1 to 64 letters"],
    [["--page-size", "0"], "--page-size: expected an integer from 1 to 200, got 0"],
    [["--wrong"], "--wrong"],
  ])("reports a usage error for %j", async (args, problem) => {
    const fixture = await createFixture(1);
    const { code, stderr } = await runAgent(fixture, service.url, args);
    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });
});
