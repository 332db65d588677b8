import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import { describe, expect, it, vi } from "vitest";
import { trackLastUsed } from "../../src/access/last-used.js";
import { createLog } from "../../src/infra/observability/log.js";
import { createMetrics } from "../../src/infra/observability/metrics.js";
import { observeApps } from "../../src/modules/connected-apps/store.js";
import { useService } from "../support/setup.js";
import { workerDatabase } from "../support/worker-database.js";
import { runCommand } from "./run-command.js";

const { db, make } = useService();

const apps = (...args: string[]) => runCommand(["apps", ...args], workerDatabase.env);

type Listed = { id: string; state: string; ended_at: string | null; last_used_at: string | null };

const listed = async (id: string): Promise<Listed | undefined> =>
  (JSON.parse((await apps("list", "--json")).stdout) as Listed[]).find((app) => app.id === id);

async function connectedApp(): Promise<{ id: string; userId: string; organizationId: string }> {
  const organizationId = await make.organization();
  const userId = await make.member(organizationId, "owner");
  return { id: await make.connectedApp(organizationId, userId), userId, organizationId };
}

describe("svc apps", () => {
  it("lists connected apps, and revokes one with a record of who did it", async () => {
    const { id, userId, organizationId } = await connectedApp();
    expect(await listed(id)).toMatchObject({ name: "Harbour Agent", scopes: ["org:read"], state: "active" });
    expect((await apps("list")).stdout).toContain(id.slice(0, 8));
    const revoked = await apps("revoke", id.slice(0, 8), "--json");
    expect(revoked).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(revoked.stdout)).toMatchObject({ id, connected_by: userId });
    expect(await listed(id)).toMatchObject({ state: "ended", ended_at: expect.any(String) });
    const records = await db.query(sql`
      select tool, via, operator is not null as has_operator, before ->> 'id' as app, after from mutation_records
      where organization_id = ${organizationId}`);
    expect(records).toEqual([
      { tool: "disconnect_app", via: "command_line", has_operator: true, app: id, after: null },
    ]);
    const again = await apps("revoke", id);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("svc apps list shows all")]);
  });

  it("refuses what is no id", async () => {
    expect((await apps("revoke", "Harbour Agent")).code).toBe(2);
    expect((await apps("revoke", randomUUID())).code).toBe(1);
  });
});

it("svc doctor warns of apps that are connected by an address without https", async () => {
  await connectedApp();
  const stateOf = async () => {
    const { stdout } = await runCommand(["doctor", "--json"], workerDatabase.env);
    const found = JSON.parse(stdout) as { check: string; state: string }[];
    return found.find(({ check }) => check === "apps")?.state;
  };
  vi.stubEnv("PUBLIC_URL", "http://127.0.0.1:3000");
  expect(await stateOf()).toBe("warning");
  vi.stubEnv("PUBLIC_URL", "https://events.example");
  expect(await stateOf()).toBe("ok");
});

it("the number of connected apps is a metric", async () => {
  const metrics = await createMetrics();
  observeApps(metrics, db.lookups);
  const count = async () => Number(/^svc_connected_apps (\d+)$/m.exec((await metrics.text()).body)?.[1]);
  await connectedApp();
  expect(await count()).toBeGreaterThan(0);
});

it("the use of an app is stored", async () => {
  const { id } = await connectedApp();
  const lastUsed = trackLastUsed(db.changes, createLog("silent"));
  lastUsed.note(id, null);
  await lastUsed.close();
  expect((await listed(id))?.last_used_at).not.toBeNull();
});
