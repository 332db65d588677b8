import { authorization, baseData, captureResponse, connections, keyVariants, withKey } from "../support/base.js";
import { postersOf } from "../support/dataset-queries.js";
import { loadOn, type Side } from "../support/load.js";
import { startProcess } from "../support/process.js";
import { planRequest, type RequestPlan } from "../support/request-plan.js";
import { type Bench, compareSides, type RowGroup } from "../support/row.js";
import { type Service, startService } from "../support/service.js";

const keysInTurn = 10_000;
const partOfChanges = 0.05;

/** How close the service comes to Node itself when nothing has changed since the last request. */
export const pageRows: RowGroup = [
  {
    id: "page",
    name: "page of 50 events, unchanged",
    reference: "bare node:http, same response",
    goal: { atLeast: 0.5 },
    async run(bench) {
      const { eventsPath } = await baseData(bench);
      return compareWithBare(bench, eventsPath, withKey({ path: eventsPath }));
    },
  },
  {
    id: "not-modified",
    name: "the same, 304",
    reference: "bare node:http, 304",
    goal: { atLeast: 0.4 },
    async run(bench) {
      const { eventsPath } = await baseData(bench);
      const { url } = await cachedService(bench);
      const { headers } = await captureResponse(url + eventsPath);
      const known = { "if-none-match": headers.etag ?? "" };
      return compareWithBare(bench, eventsPath, withKey({ path: eventsPath, headers: known, status: 304 }), known);
    },
  },
  {
    id: "keys",
    name: `the same page, ${keysInTurn.toLocaleString("en")} keys in turn`,
    reference: "one key",
    goal: { atLeast: 0.8 },
    async run(bench) {
      const { eventsPath } = await baseData(bench);
      const service = await cachedService(bench);
      const request = planRequest({ path: eventsPath, headers: authorization, variants: keyVariants(keysInTurn) });
      return compareSides(bench, loadOn(service, connections, [request]), await onePage(bench));
    },
  },
  {
    id: "changes",
    name: `the same page, ${partOfChanges * 100} % PATCHes of its posters`,
    reference: "without",
    goal: { atLeast: 0.5 },
    async run(bench) {
      const { eventsPath, conferenceId, databaseUrl, keys } = await baseData(bench);
      const service = await cachedService(bench);
      const posters = await postersOf(databaseUrl, conferenceId);
      const patch = planRequest({
        method: "PATCH",
        path: "/api/svc/posters/{poster}",
        // Posting agents of the platform: the records of an organization are limited.
        headers: { authorization: `Bearer ${keys.find(({ tier }) => tier === "super-admin")?.key}` },
        body: { posted_urls: { linkedin: "https://social.example.com/{n}" } },
        variants: posters.map((poster) => ({ poster })),
        share: partOfChanges,
      });
      const mixed = [{ ...withKey({ path: eventsPath }), share: 1 - partOfChanges }, patch];
      return compareSides(bench, loadOn(service, connections, mixed), await onePage(bench));
    },
  },
  {
    id: "poster",
    name: "one poster",
    reference: "bare node:http, same response",
    goal: { atLeast: 0.4 },
    async run(bench) {
      const { databaseUrl, eventId } = await baseData(bench);
      const [poster] = await postersOf(databaseUrl, undefined, eventId);
      const path = `/api/svc/posters/${poster}`;
      return compareWithBare(bench, path, withKey({ path }));
    },
  },
  {
    id: "redis",
    name: "page with rate limits in Redis",
    reference: "rate limits in memory",
    goal: { atLeast: 0.6 },
    async run(bench) {
      const { databaseUrl, eventsPath } = await baseData(bench);
      const service = await startService(databaseUrl, { environment: { REDIS_URL: bench.redisUrl } });
      const subject = loadOn(service, connections, [withKey({ path: eventsPath })]);
      return compareSides(bench, subject, await onePage(bench));
    },
  },
];

/** The process of these rows, as it runs in production, with its cache. */
function cachedService(bench: Bench): Promise<Service> {
  return bench.once("cached service", async () => startService((await baseData(bench)).databaseUrl));
}

async function onePage(bench: Bench): Promise<Side> {
  const { eventsPath } = await baseData(bench);
  return loadOn(await cachedService(bench), connections, [withKey({ path: eventsPath })]);
}

/** The reference sends what the service sent to the same request. */
async function compareWithBare(bench: Bench, path: string, request: RequestPlan, headers?: Record<string, string>) {
  const service = await cachedService(bench);
  const reference = await startProcess("bare-http", await captureResponse(service.url + path, headers));
  return compareSides(bench, loadOn(service, connections, [request]), loadOn(reference, connections, [request]));
}
