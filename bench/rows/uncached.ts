import { type Position, readTextPage } from "../../src/infra/database/keyset-page.js";
import { selectEvents } from "../../src/modules/events/store.js";
import type { FastifyPage } from "../processes/fastify-page.js";
import {
  baseData,
  captureResponse,
  connections,
  eventsPath,
  pageSize,
  smallData,
  uncached,
  withKey,
} from "../support/base.js";
import { findOrganizationCaller, withDatabase } from "../support/caller.js";
import { benchKey, createDataset, type Dataset } from "../support/dataset.js";
import { rowsOf } from "../support/dataset-queries.js";
import { loadOn } from "../support/load.js";
import { startProcess } from "../support/process.js";
import { type Bench, compareSides, type RowGroup } from "../support/row.js";
import { type Service, startService } from "../support/service.js";

/** Of DATABASE_POOL_SIZE, which is 10, those for reading. */
const readConnections = 6;

/** What a page costs that is read from the database, and whether this depends on how much there is. */
export const uncachedRows: RowGroup = [
  {
    id: "uncached",
    name: "page of 50 events, cache off",
    reference: "fastify + pg, same SQL, key in a Map",
    goal: { atLeast: 0.8 },
    async run(bench) {
      const { databaseUrl, conferenceId, ...data } = await baseData(bench);
      const service = await startService(databaseUrl, uncached);
      const reference = await startProcess("fastify-page", {
        databaseUrl,
        connections: readConnections,
        key: benchKey(1),
        statement: await capturePage(databaseUrl, conferenceId, service.url),
      } satisfies FastifyPage);
      return compareSides(
        bench,
        loadOn(service, connections, [withKey({ path: data.eventsPath })]),
        loadOn(reference, connections, [withKey({ path: "/page" })]),
      );
    },
  },
  {
    id: "last-page",
    name: "last page of 1,000,000 events, cache off",
    reference: "first page of 1,000",
    goal: { atLeast: 0.8 },
    async run(bench) {
      const large = await largeService(bench);
      const small = await smallData();
      const reference = await startService(small.databaseUrl, uncached);
      const key = superAdminKey(large.data);
      const path = await findLastPage(large.data);
      const { body } = await captureResponse(large.service.url + path, { authorization: `Bearer ${key}` });
      if (!body.includes(lastOfFifty)) throw new Error(`${path} is not the last page of 50 events`);
      const outcome = await compareSides(
        bench,
        loadOn(large.service, connections, [withKey({ path }, key)]),
        loadOn(reference, connections, [withKey({ path: eventsPath(small) }, superAdminKey(small))]),
      );
      return bench.quick ? { ...outcome, note: "100,000 events, because of --quick" } : outcome;
    },
  },
  {
    id: "organization",
    name: "organization with 50,000 events, cache off",
    reference: "with 50",
    goal: { atLeast: 0.8 },
    async run(bench) {
      const { service, data } = await largeService(bench);
      const path = eventsPath(data);
      return compareSides(
        bench,
        loadOn(service, connections, [withKey({ path }, benchKey(1))]),
        loadOn(service, connections, [withKey({ path }, benchKey(2))]),
      );
    },
  },
];

const lastOfFifty = `"pagination":{"has_more":false,"next_cursor":null,"count":${pageSize}}`;

type LargeService = { service: Service; data: Dataset };

/** One conference with all events, of which the first organization hosts 50,000 and the second 50. */
function largeService(bench: Bench): Promise<LargeService> {
  return bench.once("large", async () => {
    const events = bench.quick ? 100_000 : 1_000_000;
    const data = await createDataset({
      events,
      keys: 0,
      conferences: 1,
      organizations: 100,
      postersPerEvent: 0,
      host: `case when n % ${events / 50_000} = 0 then 1 when n % ${events / 50} = 1 then 2 else 3 + n % 97 end`,
    });
    return { data, service: await startService(data.databaseUrl, uncached) };
  });
}

function superAdminKey({ keys }: { keys: { tier: string; key: string }[] }): string {
  return keys.find(({ tier }) => tier === "super-admin")?.key ?? "";
}

/** The statement of the first page, as the service sends it. */
async function capturePage(
  databaseUrl: string,
  conferenceId: string,
  baseUrl: string,
): Promise<FastifyPage["statement"]> {
  return withDatabase(databaseUrl, async (db) => {
    const caller = await findOrganizationCaller(databaseUrl, benchKey(1));
    const list = { conferenceId, filters: {} };
    let statement: FastifyPage["statement"] | undefined;
    const recorder: typeof db = {
      ...db,
      query(sent, name) {
        statement = { name: name ?? "", text: sent.text, values: sent.values };
        return db.query(sent, name);
      },
    };
    await readTextPage(recorder, ["events", list], { limit: pageSize }, (after, rows) =>
      selectEvents(caller, list, baseUrl, after, rows),
    );
    if (statement === undefined) throw new Error("reading a page sent no statement");
    return statement;
  });
}

/** The path of the last page of 50. Its cursor is made as the service makes it: walking there would take 20,000 requests. */
async function findLastPage({ databaseUrl, conferenceId }: Dataset): Promise<string> {
  const [before] = await rowsOf<{ position: Position }>(
    databaseUrl,
    `select array[iso8601(start_time), id::text] as position from events
     where conference_id = $1 order by start_time desc, id desc offset $2 limit 1`,
    [conferenceId, pageSize + 1],
  );
  if (before === undefined) throw new Error("the conference has too few events");
  const list = { conferenceId, filters: {} };
  const caller = await findOrganizationCaller(databaseUrl, benchKey(1));
  // The page of one event that ends where the last page of all events begins.
  const { nextCursor } = await withDatabase(databaseUrl, (db) =>
    readTextPage(db, ["events", list], { limit: 1 }, (_after, rows) =>
      selectEvents({ ...caller, tier: "super-admin" }, list, "", before.position, rows),
    ),
  );
  return `${eventsPath({ conferenceId })}&cursor=${nextCursor}`;
}
