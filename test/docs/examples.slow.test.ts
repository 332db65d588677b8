import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveCheckPackage } from "../../bench/support/check-packages.js";
import { tools } from "../../src/registry.js";
import { findFreePort } from "../cli/launch.js";
import { call } from "../support/call.js";
import { blocksOf, type DocBlock, readPage } from "../support/doc-blocks.js";
import { withPostgresAndRedis } from "../support/needs.js";
import { type Checkout, makeCheckout, paste, type Shell, startShell } from "../support/paste.js";
import { createPostgresDatabase } from "../support/postgres.js";

/**
 * The examples of the pages that a newcomer reads, pasted in their order beside the demo, which the first block of
 * README.md starts.
 */

const root = fileURLToPath(new URL("../..", import.meta.url));

type Tier = "super-admin" | "organization";

/** The pages, with the key that stands for `svc_mk_…` there. */
const pages: [string, Tier][] = [
  ["README.md", "super-admin"],
  ["docs/command-line.md", "super-admin"],
  ["docs/quick-start.md", "super-admin"],
  ["docs/quick-start.md", "organization"],
  ["docs/api.md", "super-admin"],
  ["docs/import-format.md", "super-admin"],
  ["docs/connect-your-agent.md", "organization"],
  ["docs/ticketing.md", "organization"],
];

/** Blocks that are not pasted here, by their first line, and why. */
const exceptions: [string, string][] = [
  ["npm ci", "starts the service that all others use"],
  ["export DATABASE_URL=postgres://user:password@db.internal:5432/events", "has a test of its own"],
  ["claude mcp add", "needs that client"],
  ["TICKETING_URL=https://public-api.luma.com/v1", "needs an account there"],
  ["svc ticketing-sandbox --port 4010", "runs until it is stopped; test/ticketing/sandbox-state.test.ts starts it"],
];

const isShell = ({ language }: DocBlock) => language === "sh" || language === "bash";
const isException = ({ code }: DocBlock) => exceptions.some(([line]) => code.startsWith(line));
const shellBlocks = (page: string) => blocksOf(page).filter((block) => isShell(block) && !isException(block));

let checkout: Checkout;
let service: Shell;
let url: string;
const keys = new Map<string, string>();
let person: { email: string; password: string };

beforeAll(async () => {
  checkout = makeCheckout();
  const [start] = blocksOf("README.md");
  const env = { PORT: "0", LOG_LEVEL: "warn", MCP_LIMIT: "1000", SHUTDOWN_GRACE_S: "0" };
  service = startShell(start?.code ?? "", checkout.folder, env);
  const printed = await service.until(/Press Ctrl-C/);
  url = /ready at (\S+)/.exec(printed)?.[1] ?? "";
  for (const [, tier = "", key = ""] of printed.matchAll(/^ {2}(\S+) +(svc_mk_\w+) /gm)) keys.set(tier, key);
  const [, email = "", password = ""] = /^ {2}(\S+@\S+) {2}(\S+) /m.exec(printed) ?? [];
  person = { email, password };
}, 300_000);

afterAll(async () => {
  await service.end();
  checkout.remove();
});

/** The address and the key, as a reader fills them in. */
const fillFor = (tier: Tier) => (code: string) =>
  code.replaceAll(/http:\/\/(localhost|127\.0\.0\.1):3000/g, url).replaceAll("svc_mk_…", keys.get(tier) ?? "");

describe("beside the demo", () => {
  it.each(pages)("the commands of %s work, with the %s key", async (page, tier) => {
    for (const { block, stdout } of await paste(shellBlocks(page), checkout.folder, {}, fillFor(tier))) {
      const response = responseAfter(page, block);
      if (response === undefined) continue;
      expect(missingFields(JSON.parse(response.code), JSON.parse(stdout)), response.place).toEqual([]);
    }
  });

  it("the person whom the first start prints can sign in", async () => {
    const reply = await call(url, "/api/console/sign-in", { method: "POST", body: person, headers: { origin: url } });
    expect(reply.status).toBe(200);
  });

  it("the agents of README.md run", async () => {
    const rows = [...readPage("README.md").matchAll(/\| (any|organization) \| `(SVC_KEY=.*? npm run .*?)` \|$/gm)];
    const outputs: string[] = [];
    for (const [, tier, code = ""] of rows) {
      const block = { place: `README.md: ${code}`, section: "## Connect an agent", language: "sh", code };
      const fill = fillFor(tier === "any" ? "super-admin" : "organization");
      outputs.push(...(await paste([block], checkout.folder, {}, fill)).map(({ stdout }) => stdout));
    }
    expect(outputs).toEqual([
      expect.stringContaining("5 posted"),
      expect.stringContaining("10 calls of tools"),
      expect.stringMatching(/^T10 .* ok$/m),
    ]);
  });

  it("the TypeScript of docs/connect-your-agent.md compiles and runs", () => {
    const outputs = runTypeScript(blocksOf("docs/connect-your-agent.md").filter(({ language }) => language === "ts"));
    for (const { name } of tools) expect(outputs[0]).toContain(name);
    expect(outputs[0]).toContain("Tidewater Labs");
    expect(outputs[1]).toContain("record_id");
    expect(outputs).toHaveLength(2);
  });

  it("the Python of docs/connect-your-agent.md runs; what needs a package is only compiled", () => {
    const [standard, official, ...others] = blocksOf("docs/connect-your-agent.md").filter(
      ({ language }) => language === "python",
    );
    const output = runPython(["-"], standard?.code);
    for (const { name } of tools) expect(output).toContain(name);
    expect(output).toContain("Tidewater Labs");
    runPython(["-c", "import ast, sys; ast.parse(sys.stdin.read())"], official?.code);
    expect(others).toEqual([]);
  });
});

it("every exception is one block", () => {
  const all = [...new Set(pages.map(([page]) => page))].flatMap(blocksOf).filter(isShell);
  for (const [line] of exceptions)
    expect(
      all.filter(({ code }) => code.startsWith(line)),
      line,
    ).toHaveLength(1);
});

withPostgresAndRedis("on PostgreSQL and Redis", () => {
  it("the commands of README.md import the example and serve it", async ({ onTestFinished }) => {
    const database = await createPostgresDatabase();
    onTestFinished(database.remove);
    const block = blocksOf("README.md").find(({ code }) => code.startsWith("export DATABASE_URL"));
    const script = (block?.code ?? "")
      .replace("postgres://user:password@db.internal:5432/events", database.env.DATABASE_URL ?? "")
      .replace("redis://cache.internal:6379", process.env.REDIS_URL ?? "");
    const port = await findFreePort();
    const shell = startShell(script, checkout.folder, { PORT: String(port), SHUTDOWN_GRACE_S: "0" });
    onTestFinished(shell.end);
    const printed = await shell.until(/Press Ctrl-C/);
    expect(printed).toContain("is ready at https://events.example.com\n");
    const [key = ""] = /svc_mk_\w+/.exec(printed) ?? [];
    const { json } = await call(`http://127.0.0.1:${port}`, "/api/svc/conferences", { key });
    expect(json.items).toMatchObject([{ slug: "harbor-days" }]);
  });
});

/** The response that a page shows after a command. */
function responseAfter(page: string, { place, section, code }: DocBlock): DocBlock | undefined {
  const blocks = blocksOf(page);
  const next = blocks[blocks.findIndex((block) => block.place === place) + 1];
  return next?.language === "json" && next.section === section && /^curl /m.test(code) ? next : undefined;
}

/** The fields of a response in a page that the actual one does not have. What is null or empty there is not compared. */
function missingFields(shown: unknown, actual: unknown, path = ""): string[] {
  if (Array.isArray(shown) && Array.isArray(actual)) {
    return shown.length > 0 && actual.length > 0 ? missingFields(shown[0], actual[0], `${path}[0]`) : [];
  }
  if (!isObject(shown) || !isObject(actual)) return [];
  return Object.entries(shown).flatMap(([name, value]) =>
    name in actual ? missingFields(value, actual[name], `${path}.${name}`) : [`${path}.${name}`],
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const organizationEnv = () => ({ ...process.env, SVC_URL: url, SVC_KEY: keys.get("organization") });

/** With the packages that the page installs, of both generations. */
function runTypeScript(blocks: DocBlock[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "svc-docs-"));
  try {
    const packages = join(folder, "node_modules/@modelcontextprotocol");
    mkdirSync(packages, { recursive: true });
    symlinkSync(join(root, "node_modules/@modelcontextprotocol/client"), join(packages, "client"));
    const sdk = resolveCheckPackage("@modelcontextprotocol/sdk/client/index.js");
    symlinkSync(sdk.slice(0, sdk.indexOf("/sdk/") + "/sdk".length), join(packages, "sdk"));
    symlinkSync(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const names = blocks.map(({ code }, index) => {
      writeFileSync(join(folder, `block-${index}.ts`), code);
      return `block-${index}.ts`;
    });
    const options = ["--strict", "--module", "nodenext", "--target", "es2023", "--types", "node", "--skipLibCheck"];
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    run(process.execPath, [compiler, ...options, ...names], folder);
    return names.map((name) => run(process.execPath, [name.replace(".ts", ".js")], folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runPython(args: string[], input = ""): string {
  return run("python3", args, root, input);
}

function run(program: string, args: string[], cwd: string, input = ""): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    input,
    encoding: "utf8",
    maxBuffer: 32 * 1024 * 1024,
    env: organizationEnv(),
  });
  if (error !== undefined) throw error;
  expect(status, stdout + stderr).toBe(0);
  return stdout;
}
