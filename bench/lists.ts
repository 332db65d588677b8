// Is page 10,000 as fast as page 1, and are lists of a million events as fast as lists of a thousand?
// Usage: DATABASE_URL=postgres://… npm run bench:lists [-- --events 1000000]
// Creates two databases on that server and drops them at the end.
import { parseArgs } from "node:util";
import { createDataset, type Dataset, dropDatasets } from "./support/dataset.js";
import { startService, stopServices } from "./support/service.js";
import { median } from "./support/statistics.js";

const { values } = parseArgs({ options: { events: { type: "string", default: "1000000" } } });
const pageSize = 50;
const rounds = 60;

type PagePosition = "first" | "middle" | "last";
type Measurement = { list: string; tier: string; rows: number; ms: Record<PagePosition, number> };

try {
  const small = await measureDataset(1_000, 100);
  const large = await measureDataset(Number(values.events), 100_000);
  report(small, large);
} finally {
  await stopServices();
  await dropDatasets();
}

async function measureDataset(events: number, keys: number): Promise<Measurement[]> {
  const dataset = await createDataset({ events, keys });
  const { url } = await startService(dataset.databaseUrl, { environment: { CACHE_MB: "0" } });
  const results: Measurement[] = [];
  for (const { tier, key } of dataset.keys) {
    for (const [list, path] of listPaths(dataset)) results.push(await measureList(url, tier, key, list, path));
  }
  return results;
}

function listPaths(dataset: Dataset): [string, string][] {
  const conference = dataset.conferenceId;
  return [
    ["conferences", "/api/svc/conferences"],
    ["events of a conference", `/api/svc/conferences/${conference}/events`],
    ["events by category", `/api/svc/conferences/${conference}/events?category=vip`],
    ["posters", "/api/svc/posters"],
    ["posters, published", "/api/svc/posters?published=true"],
    ["posters of a conference", `/api/svc/posters?conference_id=${conference}`],
    ["posters of an event", `/api/svc/events/${dataset.eventId}/posters`],
  ];
}

async function measureList(url: string, tier: string, key: string, list: string, path: string): Promise<Measurement> {
  const { pages, rows } = await walk(url + path, key);
  const pageUrls: Record<PagePosition, string> = {
    first: pages[0] ?? "",
    middle: pages[Math.floor(pages.length / 2)] ?? "",
    last: pages.at(-1) ?? "",
  };
  const times: Record<PagePosition, number[]> = { first: [], middle: [], last: [] };
  // Interleaved, so that noise affects all three equally.
  for (let round = 0; round < rounds; round++) {
    for (const position of ["first", "middle", "last"] as const) {
      const before = performance.now();
      await get(pageUrls[position], key);
      times[position].push(performance.now() - before);
    }
  }
  const ms = { first: median(times.first), middle: median(times.middle), last: median(times.last) };
  return { list, tier, rows, ms };
}

/** The URLs of the full pages of a list: a short last page is not comparable. */
async function walk(listUrl: string, key: string): Promise<{ pages: string[]; rows: number }> {
  const pages: string[] = [];
  let rows = 0;
  let cursor: string | null = null;
  do {
    const url = new URL(listUrl);
    url.searchParams.set("limit", String(pageSize));
    if (cursor !== null) url.searchParams.set("cursor", cursor);
    const page = await get(url.href, key);
    rows += page.pagination.count;
    if (page.pagination.count === pageSize || pages.length === 0) pages.push(url.href);
    cursor = page.pagination.next_cursor;
  } while (cursor !== null);
  return { pages, rows };
}

async function get(url: string, key: string): Promise<{ pagination: { count: number; next_cursor: string | null } }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Awaited<ReturnType<typeof get>>;
}

function report(small: Measurement[], large: Measurement[]): void {
  const lines = large.map((big, index) => {
    const baseline = small[index]?.ms.first ?? Number.NaN;
    const times = Object.values(big.ms);
    const spread = Math.max(...times) / Math.min(...times);
    const growth = Math.max(...times) / baseline;
    return {
      tier: big.tier,
      list: big.list,
      rows: big.rows,
      "first ms": big.ms.first.toFixed(2),
      "middle ms": big.ms.middle.toFixed(2),
      "last ms": big.ms.last.toFixed(2),
      "spread (≤ 1.5)": spread.toFixed(2),
      "first on 1,000 events ms": baseline.toFixed(2),
      "growth (≤ 2)": growth.toFixed(2),
      verdict: spread <= 1.5 && growth <= 2 ? "ok" : "TOO SLOW",
    };
  });
  console.table(lines);
  if (lines.some((line) => line.verdict !== "ok")) process.exitCode = 1;
}
