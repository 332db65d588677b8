import sql from "sql-template-tag";
import { expect, it } from "vitest";
import type { Tuning } from "../../src/app.js";
import { until } from "../support/until.js";
import { type RunningProxy, startProxy } from "../ticketing/support/proxy.js";
import {
  httpResponse,
  type RecordingUpstream,
  startRecordingUpstream,
} from "../ticketing/support/recording-upstream.js";
import { createTenant, useClosing } from "../ticketing/support/use-proxy.js";

/** A write that the platform has answered is answered to the caller, whatever happens to its second record. */

const closeLater = useClosing();

type Started = {
  proxy: RunningProxy;
  upstream: RecordingUpstream;
  eventId: string;
  write(code: string): ReturnType<RunningProxy["call"]>;
  /** The states of all records of the event. */
  outcomes(): Promise<string[]>;
};

/** Runs before an outcome is stored. */
let beforeOutcome: () => void | Promise<void>;

async function start(tuning: Tuning, options: { oneProcess?: string } = {}): Promise<Started> {
  beforeOutcome = () => {};
  const upstream = await startRecordingUpstream(() => httpResponse(201, { created: true }));
  const proxy = await startProxy(upstream.url, {
    ...options,
    tuning: { outcomeRetryMs: 20, outcomeMaxRetryMs: 40, ...tuning },
    beforeQuery: (text, values) => {
      const isOutcome = text.includes("insert into mutation_records") && !values.includes('{"state":"sending"}');
      return isOutcome ? beforeOutcome() : undefined;
    },
  });
  const { key, event } = await createTenant(proxy);
  const eventId = event.id;
  closeLater(upstream.close, proxy.close);
  return {
    proxy,
    upstream,
    eventId,
    write: (code) => proxy.call("event/coupons", { key, method: "POST", body: { event_id: eventId, code } }),
    async outcomes() {
      const rows = await proxy.db.query<{ state: string }>(sql`
        select result ->> 'state' as state from mutation_records where event_id = ${eventId} order by at, id`);
      return rows.map(({ state }) => state);
    },
  };
}

const fail = () => {
  throw new Error("connection lost");
};

it("answers although the record hangs, and stores it once when the database returns", async () => {
  const { write, outcomes } = await start({ outcomeWaitMs: 50 });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  beforeOutcome = () => released;
  const reply = await write("A");
  expect([reply.status, reply.json]).toEqual([201, { created: true }]);
  expect(await outcomes()).toEqual(["sending"]);
  release();
  await until(async () => (await outcomes()).length === 2);
  expect((await outcomes()).sort()).toEqual(["answered", "sending"]);
});

it("stores outcomes that failed when the database returns, each once", async () => {
  const { write, outcomes, proxy } = await start({});
  beforeOutcome = fail;
  for (const code of ["A", "B", "C"]) expect((await write(code)).status).toBe(201);
  expect(await outcomes()).toEqual(["sending", "sending", "sending"]);
  expect(proxy.logged().match(/could not record the outcome/g)).toHaveLength(3);
  beforeOutcome = () => {};
  await until(async () => (await outcomes()).length === 6);
  expect((await outcomes()).filter((state) => state === "answered")).toHaveLength(3);
});

it("does not store an outcome again that was stored although its statement failed", async () => {
  const { write, outcomes, proxy, eventId } = await start({});
  beforeOutcome = async () => {
    beforeOutcome = () => {};
    // As a statement whose connection is lost between its commit and its response.
    await proxy.db.query(sql`
      insert into mutation_records (tool, event_id, via, request, request_hash, result)
      select tool, event_id, via, request, request_hash, '{"state":"answered"}' from mutation_records
      where event_id = ${eventId}`);
    fail();
  };
  expect((await write("A")).status).toBe(201);
  expect((await write("B")).status).toBe(201);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await outcomes()).sort()).toEqual(["answered", "answered", "sending", "sending"]);
});

it("keeps a bounded number of outcomes and says which it gave up", async () => {
  const { write, outcomes, proxy } = await start(
    { outcomeCapacity: 2 },
    { oneProcess: "the outcomes that wait are limited in each process" },
  );
  beforeOutcome = fail;
  for (const code of ["A", "B", "C", "D"]) expect((await write(code)).status).toBe(201);
  expect(proxy.logged().match(/did not record the outcome of a ticketing write: too many are waiting/g)).toHaveLength(
    2,
  );
  beforeOutcome = () => {};
  await until(async () => (await outcomes()).length === 6);
});

it("stores what is left when it closes, and leaves the rest at sending within its limit", async () => {
  const { write, outcomes, proxy } = await start({ outcomeRetryMs: 600_000, outcomeDrainMs: 200 });
  beforeOutcome = fail;
  await write("A");
  await write("B");
  let stored = 0;
  beforeOutcome = () => {
    stored += 1;
    if (stored > 1) fail();
  };
  await proxy.closeApp();
  expect((await outcomes()).sort()).toEqual(["answered", "sending", "sending"]);
  expect(proxy.logged().match(/the outcome of a ticketing write was not recorded/g)).toHaveLength(1);
});

it("says after a truncated response that the write may have been carried out", async () => {
  const { write, upstream, outcomes } = await start({});
  upstream.respondWith((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"half":');
    setTimeout(() => socket.destroy(), 50);
    return undefined;
  });
  const reply = await write("A");
  expect(reply.status).toBe(502);
  expect(reply.json.error).toContain("may or may not have been applied: check before you retry");
  expect((await outcomes()).sort()).toEqual(["answered", "sending"]);
});
