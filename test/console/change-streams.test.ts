import { setTimeout as sleep } from "node:timers/promises";
import sql from "sql-template-tag";
import { beforeAll, expect, it, vi } from "vitest";
import { createChangeStreams, streamLimits } from "../../src/console/change-streams.js";
import { createEventFixture, type EventFixture } from "../support/event-fixture.js";
import { makerOn } from "../support/make.js";
import { useService } from "../support/setup.js";
import { startConsole } from "./support.js";

const { service, make } = useService(() => startConsole({ streams: { heartbeatMs: 50 } }));
let fixture: EventFixture;
let cookie: string;

beforeAll(async () => {
  fixture = await createEventFixture(service.db);
  cookie = await service.signIn(fixture.caller.userId);
});

/** Waits until the expectations hold. */
const within = (expectation: () => void | Promise<void>) => vi.waitFor(expectation, { timeout: 10_000 });

/** Opens the stream of an organization and collects its notices. */
async function follow(session: string, organizationId = fixture.organizationId, from = service) {
  const response = await fetch(`${from.url}/api/console/organizations/${organizationId}/changes`, {
    headers: { cookie: session },
  });
  const reader = response.body?.getReader();
  const stream = {
    status: response.status,
    isOpen: false,
    notices: [] as { topic: string }[],
    heartbeats: 0,
    ended: false,
    leave: () => reader?.cancel(),
  };
  void (async () => {
    let text = "";
    for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
      text += Buffer.from(chunk.value).toString();
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts) {
        stream.isOpen = true;
        if (part.startsWith(":")) stream.heartbeats += 1;
        if (part.startsWith("event: change")) stream.notices.push(JSON.parse(part.split("data: ")[1] ?? ""));
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      stream.ended = true;
    });
  await within(() => expect(stream.isOpen).toBe(true));
  return stream;
}

/** Without "anything may have changed", which a stream says whenever its connection to the database was made anew. */
const named = ({ notices }: { notices: { topic: string }[] }) => notices.filter(({ topic }) => topic !== "all");

/** What an agent does: reports a link. */
async function reportLink(poster: string, network: string): Promise<void> {
  const key = await make.superAdminKey();
  const body = { posted_urls: { [network]: `https://${network}.example/1` } };
  const { status } = await service.call(`/api/svc/posters/${poster}`, { key, body });
  expect(status).toBe(200);
}

it("tells the hosts of an event what changed, and nobody else", async () => {
  const other = await createEventFixture(service.db);
  const otherCookie = await service.signIn(other.caller.userId);
  const [own, foreign] = [await follow(cookie), await follow(otherCookie, other.organizationId)];
  await reportLink(fixture.posterId, "mastodon");
  await within(() => expect(named(own)).toEqual([{ topic: "event", id: fixture.eventId }]));
  const beats = foreign.heartbeats;
  await within(() => expect(foreign.heartbeats).toBeGreaterThan(beats + 1));
  expect(named(foreign)).toEqual([]);
  await own.leave();
  await foreign.leave();
});

it("tells everyone that anything may have changed when a record names neither event nor organization", async () => {
  const stream = await follow(cookie);
  await service.db.query(sql`
    insert into mutation_records (tool, via, operator, request, request_hash)
    values ('svc:import', 'command_line', 'test', '{}', 'x')`);
  await within(() => expect(stream.notices).toContainEqual({ topic: "all" }));
  await stream.leave();
});

it("ends when the session ends or the person leaves the organization", async () => {
  const userId = await make.member(fixture.organizationId, "member");
  const first = await service.signIn(userId);
  const stream = await follow(first);
  service.signOut(first);
  await within(() => expect(stream.ended).toBe(true));
  const second = await follow(await service.signIn(userId));
  await service.db.query(sql`delete from members where user_id = ${userId}`);
  await within(() => expect(second.ended).toBe(true));
});

it("ends with the change that removes the person, without waiting for a heartbeat", async () => {
  const own = await startConsole({ streams: { heartbeatMs: 3_600_000 } });
  const { organizationId, owner } = await own.newOrganization();
  const memberId = await makerOn(own.db).member(organizationId, "member");
  const kept = await follow(owner, organizationId, own);
  const lost = await follow(await own.signIn(memberId), organizationId, own);
  await own.change(organizationId, owner, "remove_member", { user_id: memberId });
  await within(() => expect(lost.ended).toBe(true));
  await own.change(organizationId, owner, "update_organization_branding", { brand_primary_color: "#0a7f5a" });
  await within(() => expect(kept.notices.length).toBeGreaterThan(1));
  expect([lost.notices.filter(({ topic }) => topic === "organization"), kept.ended]).toEqual([[], false]);
  await kept.leave();
  await own.close();
});

it("is limited per person, and a closed page makes room", async () => {
  const own = await startConsole({
    streams: { heartbeatMs: 50, perPerson: 2 },
    oneProcess: "the open pages of a person are limited in each process",
  });
  const person = await own.signIn(await makerOn(own.db).member(fixture.organizationId));
  const open = () => follow(person, fixture.organizationId, own);
  const [first, second] = [await open(), await open()];
  const refused = await own.get(`organizations/${fixture.organizationId}/changes`, person);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("30");
  await first.leave();
  await within(async () => {
    const third = await fetch(`${own.url}/api/console/organizations/${fixture.organizationId}/changes`, {
      headers: { cookie: person },
    });
    await third.body?.cancel();
    expect(third.status).toBe(200);
  });
  await second.leave();
  await own.close();
});

it("does not keep the service from stopping", async () => {
  const own = await startConsole({ streams: { heartbeatMs: 50 } });
  const session = await own.signIn(fixture.caller.userId);
  const response = await fetch(`${own.url}/api/console/organizations/${fixture.organizationId}/changes`, {
    headers: { cookie: session },
  });
  expect(response.status).toBe(200);
  const stopped = await Promise.race([own.close().then(() => true), sleep(20_000, false, { ref: false })]);
  expect(stopped).toBe(true);
  await response.body?.cancel();
});

it("goes on while the right to listen cannot be checked", async () => {
  const streams = createChangeStreams(service.db, { ...streamLimits, heartbeatMs: 20 });
  const answers = [() => Promise.reject(new Error("the database is away")), async () => true, async () => false];
  const output = streams.open({
    personId: "p",
    organizationId: null,
    signal: new AbortController().signal,
    mayContinue: () => (answers.shift() ?? (async () => false))(),
  });
  let text = "";
  for await (const chunk of output) text += chunk;
  expect(text.match(/: heartbeat/g)).toHaveLength(2);
  await streams.close();
});
