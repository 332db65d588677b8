import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { imagePath, imageStore } from "../../src/modules/images/store.js";
import { type RunningService, serveFreshDatabase } from "../cli/serve-fresh-database.js";
import { legacy } from "../mcp/messages.js";
import { call } from "../support/call.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";

/** One tenant attacks while another one pings. Measured against the quiet service of the same run. */

const pings = 60;
/** Before there were limits, these attacks made a ping 100 to 1,000 times slower and took 600 MB to 2.4 GB. */
const largestSlowdown = 30;
const quietFloorMs = 10;
const largestGrowthBytes = 250e6;

withPostgres("a second tenant", () => {
  let served: RunningService;
  let victim: string;
  let attacker: string;
  let event: string;
  let image: string;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    // One process, whose memory is measured.
    const limits = { MCP_LIMIT: "1000000", TICKETING_LIMIT: "1000000" };
    served = await serveFreshDatabase("postgres", { ...limits, WORKERS: "1" });
    const make = makerOn(served.db);
    victim = await make.organizationKey(await make.organization());
    const organization = await make.organization();
    attacker = await make.organizationKey(organization);
    event = await make.event(await make.conference(), { hosts: [organization] });
    const bytes = randomBytes(1_000_000);
    const stored = { hash: createHash("sha256").update(bytes).digest("hex"), contentType: "image/png", bytes } as const;
    await imageStore(served.db).save([stored]);
    image = imagePath(stored);
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await served.remove();
  });

  /** On one connection: a flood of new connections delays the acceptance of others, which no process can prevent. */
  async function slowestPings(): Promise<number> {
    const headers = { connection: "keep-alive" };
    const times: number[] = [];
    for (let count = 0; count < pings; count += 1) {
      const startedAt = performance.now();
      expect((await call(served.url, "/api/svc/ping", { key: victim, headers })).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    return times.sort((a, b) => a - b)[Math.floor(pings * 0.95)] ?? 0;
  }

  function memory(): number {
    const status = readFileSync(`/proc/${served.server.child.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  }

  /** Repeats what a client does until the pings of the other tenant are done. */
  async function expectUnaffected(clients: number, attack: (client: number) => Promise<unknown>): Promise<void> {
    await slowestPings();
    const [quietMs, before] = [await slowestPings(), memory()];
    let attacking = true;
    let attacks = 0;
    const running = Array.from({ length: clients }, async (_, client) => {
      while (attacking) {
        await attack(client);
        attacks += 1;
      }
    });
    const attackedMs = await slowestPings();
    attacking = false;
    await Promise.all(running);
    expect(attacks).toBeGreaterThan(0);
    expect(attackedMs).toBeLessThan(largestSlowdown * Math.max(quietMs, quietFloorMs));
    expect(memory() - before).toBeLessThan(largestGrowthBytes);
  }

  const open = (): Socket => {
    const socket = connect(Number(new URL(served.url).port), "127.0.0.1");
    socket.on("error", () => {});
    sockets.push(socket);
    return socket;
  };
  const request = () => `GET ${image} HTTP/1.1\r\nhost: svc\r\n\r\n`;

  it("is served while 600 images are requested on each of 16 connections", async () => {
    await expectUnaffected(16, async () => {
      const socket = open();
      socket.write(request().repeat(600));
      socket.resume();
      await sleep(300);
      socket.destroy();
    });
  });

  it("is served while 200 clients request images and read nothing", async () => {
    const holding = new Set<number>();
    await expectUnaffected(200, async (client) => {
      if (!holding.has(client)) open().pause().write(request().repeat(20));
      holding.add(client);
      await sleep(200);
    });
    expect(holding.size).toBe(200);
  });

  it.each([
    ["links", (n: number) => `"https://example.com/${n}"`, "links"],
    ["ids", () => '"00000000-0000-4000-8000-000000000000"', "registration_ids"],
  ])("is served while large bodies with many %s are refused", async (_, value, field) => {
    const values = Array.from({ length: 1_900 }, (__, n) => value(n));
    const args = `{"event_id":"${event}","${field}":[${values.join()}]}`;
    const body = JSON.stringify(
      legacy("tools/call", { name: "batch_update_event_registrations", arguments: {} }),
    ).replace('"arguments":{}', `"arguments":${args}`);
    expect(body.length).toBeLessThan(128 * 1024);
    await expectUnaffected(2, () => call(served.url, "/api/mcp", { key: attacker, method: "POST", body }));
  });

  it("is served while names of time zones of any length are sent", async () => {
    const attack = async () => {
      const timezone = randomBytes(40_000).toString("base64");
      const params = { name: "update_event_details", arguments: { event_id: event, timezone } };
      await call(served.url, "/api/mcp", { key: attacker, method: "POST", body: legacy("tools/call", params) });
    };
    await expectUnaffected(2, attack);
  });
});
