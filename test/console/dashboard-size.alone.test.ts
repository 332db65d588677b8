import sql from "sql-template-tag";
import { beforeAll, expect, it } from "vitest";
import { createLargeOrganization } from "../support/large-organization.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

/** Times are compared with each other on the same machine, never with a clock. */
const { service, make } = useService(() => startConsole({}, { consoleLimit: 100_000 }));
let small: { id: string; cookie: string };
let large: { id: string; cookie: string };

beforeAll(async () => {
  small = await organization(10, 10);
  large = await organization(2_000, 10);
  await service.db.query(sql`analyze`);
}, 120_000);

async function organization(events: number, postersPerEvent: number) {
  const id = await createLargeOrganization(service.db, { events, postersPerEvent });
  const userId = await make.member(id);
  await service.db.query(sql`
    insert into visits (user_id, organization_id, visited_at) values (${userId}, ${id}, now() - interval '1 day')`);
  return { id, cookie: await service.signIn(userId) };
}

async function medianMs(path: string, of: typeof small, rounds = 15): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = performance.now();
    const { status } = await service.get(`organizations/${of.id}/${path}`, of.cookie);
    times.push(performance.now() - before);
    expect(status).toBe(200);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}

it.each([
  ["dashboard", 25],
  ["events?when=upcoming", 25],
  ["events?sort=name", 60],
  ["events?needs=me", 25],
  ["posters", 5],
  ["posters?state=unposted", 5],
  ["posters?platform=rare", 25],
  ["links", 15],
  ["links?platform=rare", 25],
  ["search?query=nobody%20here", 25],
])(
  "%s of 2,000 events and 20,000 posters takes at most %d times as long as of 10 events and 100 posters",
  async (path, ratio) => {
    await medianMs(path, large, 5);
    const [ofSmall, ofLarge] = [await medianMs(path, small), await medianMs(path, large)];
    if (process.env.SHOW_TIMES) console.log(`${path}: ${ofSmall.toFixed(1)} ms, ${ofLarge.toFixed(1)} ms`);
    expect(ofLarge / ofSmall).toBeLessThan(ratio);
  },
  60_000,
);
