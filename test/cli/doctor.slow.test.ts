import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import type { NamedFinding } from "../../src/cli/doctor.js";
import { svc } from "../support/svc.js";

/** Accepts connections and says nothing. */
async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, sockets, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it("gives up everything that does not respond, all at the same time", async () => {
  const names = ["redis", "ticketing", "mail", "sign-in", "traces", "database"] as const;
  const silent = await Promise.all(names.map(startSilentServer));
  const [redis, ticketing, mail, issuer, traces, database] = silent.map(({ address }) => address);
  let most = 0;
  const count = () => {
    most = Math.max(most, silent.filter(({ sockets }) => sockets.size > 0).length);
  };
  for (const { server } of silent) server.on("connection", count);
  const { code, stdout, stderr } = await svc(["doctor", "--json"], {
    REDIS_URL: `redis://${redis}`,
    TICKETING_URL: `http://${ticketing}`,
    TICKETING_API_KEY: "x",
    SMTP_URL: `smtp://${mail}`,
    MAIL_FROM: "a@example.com",
    OIDC_ISSUER: `http://${issuer}`,
    OIDC_CLIENT_ID: "x",
    OIDC_CLIENT_SECRET: "x",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://${traces}`,
    DATABASE_URL: `postgres://postgres@${database}/events`,
  });
  for (const { server } of silent) server.close();
  expect([code, stderr]).toEqual([1, ""]);
  const findings: NamedFinding[] = JSON.parse(stdout);
  expect(findings.filter(({ state }) => state === "problem").map(({ check }) => check)).toEqual(names);
  expect(most).toBe(names.length);
});
