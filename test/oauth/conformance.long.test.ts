import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resolveCheckPackage } from "../../bench/support/check-packages.js";
import type { ConsoleService } from "../console/support.js";
import { consentTo, register, startAtItsAddress } from "./connecting.js";

/** The official scenarios for authorization servers. The test is the browser that they wait for. */

let service: ConsoleService;

beforeAll(async () => {
  service = await startAtItsAddress();
});
afterAll(() => service.close());

const callbackPort = 33_418;

it("passes the scenarios for authorization servers", async () => {
  const { organizationId, owner } = await service.newOrganization();
  const clientId = await register(service, { redirect_uris: [`http://127.0.0.1:${callbackPort}/callback`] });
  const preload = new URL("../mcp/glob-sync-polyfill.mjs", import.meta.url).href;
  const program = resolveCheckPackage("@modelcontextprotocol/conformance/dist/index.js");
  const settings = ["--url", service.url, "--client-id", clientId, "--port", String(callbackPort)];
  const child = spawn(process.execPath, [
    ...["--import", preload, program, "authorization", ...settings],
    ...["--resource", `${service.url}/api/mcp`],
  ]);
  let output = "";
  let opened: Promise<unknown> | undefined;
  const ended = once(child, "close");
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  child.stdout.on("data", (chunk) => {
    output += chunk;
    const page = /^http\S+\/oauth\/authorize\?\S+$/m.exec(output)?.[0];
    if (page === undefined || opened !== undefined) return;
    const decision = { organization: organizationId, scopes: ["org:read" as const] };
    opened = consentTo(service, new URL(page), owner, decision).then((callback) => fetch(callback));
  });
  const [code] = await ended;
  await opened;
  expect(opened, output).toBeDefined();
  expect({ code, failed: /FAILURE|SKIPPED/.exec(output)?.[0] }, output).toEqual({ code: 0, failed: undefined });
});
