import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { createProgram } from "../src/cli/program.js";
import { loadConfig } from "../src/config.js";
import { variableNames } from "../src/environment.js";
import { lookupConnections } from "../src/infra/database/database-limits.js";
import { commandIn, contextNames, readDockerfile, textsOf } from "./support/dockerfile.js";

/** Dockerfile, ops/ and docs/production.md name variables, ports, paths and limits: they are those of the code. */

const program = await createProgram();
const root = new URL("../", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, root), "utf8");

/** How long requests in flight may finish after the grace period. */
const drainSeconds =
  Number(/const drainMs = ([\d_]+);/.exec(read("src/serve/life-cycle.ts"))?.[1]?.replaceAll("_", "")) / 1000;

/** NODE_ENV is read by packages, not by the service. */
const unknownVariables = (names: string[]) =>
  names.filter((name) => name !== "NODE_ENV" && !variableNames.includes(name));

describe("Dockerfile", () => {
  const [build, final] = readDockerfile();
  const environment = Object.fromEntries(
    textsOf(final, "ENV").flatMap((text) => text.split(/\s+/).map((pair) => pair.split("="))),
  );

  it("builds and runs on the oldest supported major version of Node", () => {
    const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
    const major = /^>=(\d+)\./.exec(engines.node)?.[1];
    expect([build?.image, final?.image]).toEqual(Array(2).fill(`node:${major}-bookworm-slim`));
  });

  it("sets only variables that the service reads, to valid values", () => {
    expect(unknownVariables(Object.keys(environment))).toEqual([]);
    const { host, port, dataDir } = loadConfig(environment);
    expect(host).toBe("0.0.0.0");
    expect(textsOf(final, "EXPOSE")).toEqual([String(port)]);
    expect(textsOf(final, "VOLUME")).toEqual([dataDir]);
  });

  it("runs as another user than root, checks /livez, and starts the service without npm", () => {
    expect(textsOf(final, "USER")).toEqual(["node"]);
    const afterUser = final?.instructions.slice(final.instructions.findIndex(({ keyword }) => keyword === "USER"));
    expect(afterUser?.map(({ keyword }) => keyword)).not.toContain("RUN");
    expect(commandIn(textsOf(final, "HEALTHCHECK")[0]).at(-1)).toMatch(/\$\{process\.env\.PORT\}\/livez`/);
    expect(commandIn(textsOf(final, "CMD")[0])).toEqual(["node", "bin/svc", "serve"]);
  });

  it("has the version of package.json in its labels", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(textsOf(final, "LABEL").join()).toContain(`org.opencontainers.image.version="${version}"`);
  });

  it("takes from the context only what exists, and nothing that may hold secrets or data", () => {
    for (const name of contextNames()) expect(existsSync(new URL(name, root)), name).toBe(true);
    expect(read(".dockerignore")).toMatch(/^\*$/m);
    for (const name of ["data", ".env", ".git", "node_modules", "dist", "ops"])
      expect(contextNames()).not.toContain(name);
  });
});

type ComposeService = {
  image?: string;
  build?: string;
  profiles?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  ports?: string[];
  networks?: Record<string, { ipv4_address?: string } | null>;
  command?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  stop_grace_period?: string;
  depends_on?: Record<string, { condition: string }>;
};
type Compose = { services: Record<string, ComposeService>; networks: Record<string, { internal?: boolean }> };

describe("ops/compose.yaml", () => {
  const text = read("ops/compose.yaml");
  const example = Object.fromEntries(
    [...read("ops/example.env").matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value ?? ""]),
  );
  // Values are inserted into the parsed document, as Compose does: an empty value is then an empty text.
  const document = JSON.stringify(parse(text, { merge: true }));
  const compose = JSON.parse(
    document.replaceAll(/\$\{(\w+)(?::[?-]([^}]*))?\}/g, (_, name, fallback) => example[name] || fallback || ""),
  ) as Compose;
  const own = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);
  const processes = own.filter(([, { profiles }]) => profiles === undefined);
  const nginx = read("ops/nginx.conf");

  it("gets every required value from ops/example.env, which has no others", () => {
    const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
    expect(used).toEqual(new Set([...Object.keys(example), "SVC_VERSION"]));
  });

  it("runs two processes with variables that the service reads, and valid values", () => {
    expect(processes.map(([name]) => name)).toEqual(["svc-1", "svc-2"]);
    for (const [, { environment = {} }] of processes) {
      expect(unknownVariables(Object.keys(environment))).toEqual([]);
      expect(loadConfig(environment)).toMatchObject({ publicUrl: example.PUBLIC_URL, ticketing: null });
    }
  });

  it("runs commands as the image does, without an address of a process", () => {
    const commands = own.filter((each) => !processes.includes(each));
    expect(commands.map(([name, { entrypoint }]) => [name, entrypoint])).toEqual([["svc", ["node", "bin/svc"]]]);
    expect(commands[0]?.[1].networks).toEqual({ backend: {}, outbound: {} });
  });

  it("waits for the drain before it kills a process", () => {
    for (const [, { environment, stop_grace_period }] of processes) {
      const grace = Number(environment?.SHUTDOWN_GRACE_S);
      expect(Number.parseInt(stop_grace_period ?? "", 10)).toBeGreaterThan(grace + drainSeconds);
      const idle = Number(/keepalive_timeout (\d+)s;/.exec(nginx)?.[1]);
      expect(idle).toBeLessThan(grace);
    }
  });

  it("has enough connections to PostgreSQL for a rolling upgrade and commands", () => {
    const limit = Number(/max_connections=(\d+)/.exec(compose.services.postgres?.command?.join(" ") ?? "")?.[1]);
    const perProcess = loadConfig(processes[0]?.[1].environment ?? {}).databasePoolSize + lookupConnections;
    expect((processes.length + 1) * perProcess + 10).toBeLessThan(limit);
  });

  it("publishes the proxy only, and balances over both processes", () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name, { ports }]) => [name, ports])).toEqual([["proxy", ["80:8080", "443:8443"]]]);
    expect(nginx.match(/^\s*listen (\d+)/gm)?.map((line) => line.trim())).toEqual(["listen 8080", "listen 8443"]);
    const upstreams = [...nginx.matchAll(/^\s*server (\S+) max_fails/gm)].map(([, address]) => address);
    const addresses = processes.map(([, { networks }]) => `${networks?.backend?.ipv4_address}:${loadConfig({}).port}`);
    expect(upstreams).toEqual(addresses);
    expect(compose.networks.backend?.internal).toBe(true);
    for (const name of ["postgres", "redis"])
      expect(Object.keys(compose.services[name]?.networks ?? {})).toEqual(["backend"]);
  });

  it("gives the service a read-only file system and no capabilities", () => {
    for (const [, service] of own) expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });

  it("refers only to services that exist", () => {
    for (const { depends_on = {} } of Object.values(compose.services)) {
      for (const name of Object.keys(depends_on)) expect(compose.services).toHaveProperty(name);
    }
  });
});

describe("ops/svc@.service", () => {
  const path = "ops/svc@.service";
  const unit = read(path).replaceAll("%i", "3000");
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1];
  const environment = Object.fromEntries((setting("Environment") ?? "").split(" ").map((pair) => pair.split("=")));

  it("sets only variables that the service reads, to valid values", () => {
    expect(unknownVariables(Object.keys(environment))).toEqual([]);
    expect(loadConfig(environment)).toMatchObject({ port: 3000, dataDir: `/var/lib/${setting("StateDirectory")}` });
  });

  it("starts a command that exists, and waits for the drain before it kills the process", () => {
    const [, ...args] = (setting("ExecStart") ?? "").split(" bin/svc ");
    const serve = program.commands.find((command) => command.name() === "serve");
    expect(args).toEqual(["serve --no-demo"]);
    expect(serve?.options.map(({ long }) => long)).toContain("--no-demo");
    expect(Number(setting("TimeoutStopSec"))).toBeGreaterThan(Number(environment.SHUTDOWN_GRACE_S) + drainSeconds);
    expect([setting("KillSignal"), setting("Restart"), setting("User")]).toEqual(["SIGTERM", "on-failure", "svc"]);
  });

  it.skipIf(!existsSync("/usr/bin/systemd-analyze"))("is accepted by systemd, with an exposure below 2", () => {
    const file = fileURLToPath(new URL(path, root));
    // A setting that systemd does not know is a warning, without an exit code.
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
    expect(verified).toMatchObject({ status: 0, stderr: expect.not.stringContaining("svc@") });
    const limits = ["security", "--offline=yes", "--threshold=20", file];
    execFileSync("systemd-analyze", limits, { stdio: "pipe" });
  });
});

describe("ops/svc-backup.service", () => {
  const unit = read("ops/svc-backup.service");
  const setting = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

  it("sets only variables that the service reads, and runs a command that exists, in a folder that it may write to", () => {
    const variables = setting("Environment").split(" ");
    expect(unknownVariables(variables.map((pair) => pair.split("=")[0] ?? ""))).toEqual([]);
    const [, command, option, folder] = /bin\/svc (\w+) (--\w+) "(.*)\//.exec(setting("ExecStart")) ?? [];
    const found = program.commands.find((each) => each.name() === command);
    expect(found?.options.map(({ long }) => long)).toContain(option);
    expect(setting("StateDirectory").split(" ")).toEqual(["svc", folder?.replace("/var/lib/", "")]);
  });

  it.skipIf(!existsSync("/usr/bin/systemd-analyze"))("is accepted by systemd, with its timer", () => {
    const files = ["service", "timer"].map((kind) => fileURLToPath(new URL(`ops/svc-backup.${kind}`, root)));
    const verified = spawnSync("systemd-analyze", ["verify", "--man=no", ...files], { encoding: "utf8" });
    expect(verified).toMatchObject({ status: 0, stderr: expect.not.stringContaining("svc-backup") });
  });
});

describe("docs/production.md", () => {
  const page = read("docs/production.md");
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text ?? "");
  const code = [...blocks, ...[...page.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text ?? "")];

  it("names only variables that the service, the compose file or certbot knows", () => {
    const known = [
      ...variableNames,
      ...(read("ops/example.env").match(/^[A-Z_]+/gm) ?? []),
      ...[...read("ops/svc.sh").matchAll(/\$\{(\w+):-/g)].map(([, name]) => name ?? ""),
      "SVC_VERSION",
      "RENEWED_LINEAGE",
    ];
    const used = code.flatMap((text) => text.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []);
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });

  it("links only to files that exist", () => {
    const links = [...page.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target]) => target ?? "");
    const missing = links.filter(
      (target) => !target.startsWith("https:") && !existsSync(new URL(target, new URL("docs/", root))),
    );
    expect(missing).toEqual([]);
  });

  it("changes everything in ops/nginx.conf that is for Docker", () => {
    const block = blocks.find((text) => text.includes("sed -e")) ?? "";
    const [, command = ""] = /^(sed [\s\S]*?) > \/etc\/nginx\/nginx\.conf$/m.exec(block) ?? [];
    const changed = execFileSync("sh", ["-c", command.replaceAll("/opt/svc/", "")], { cwd: root, encoding: "utf8" });
    const remaining = changed.replaceAll(/#.*/g, "").match(/\b(10\.255|8080|8443)\S*|\/dev\/std\w+|\/tmp\S*/g);
    expect(remaining).toBeNull();
    expect([...changed.matchAll(/^\s*server (127\S+) max_fails/gm)].map(([, address]) => address)).toEqual(
      [...page.matchAll(/svc@(\d+)(?= svc)/g)].map(([, port]) => `127.0.0.1:${port}`),
    );
  });

  it("states the connections of a process as the code has them", () => {
    expect(page).toContain(`\`DATABASE_POOL_SIZE\` + ${lookupConnections}.`);
  });
});
