import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config.js";
import { tools } from "../../src/registry.js";
import { allowlistProblem } from "../../src/runner/availability.js";
import { startRelay } from "../faults/relay.js";
import { call } from "../support/call.js";
import { errorBody } from "../support/error-body.js";
import { makerOn } from "../support/make.js";
import { withPostgres } from "../support/needs.js";
import { svc } from "../support/svc.js";
import { findFreePort, launchServe } from "./launch.js";
import { expectRefusal } from "./refusal.js";
import { type RunningService, serveFreshDatabase } from "./serve-fresh-database.js";

const problems = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
};

describe("the environment", () => {
  it("may be empty; an empty variable counts as not set", () => {
    const names = ["PORT", "HOST", "PUBLIC_URL", "DATABASE_URL", "DATA_DIR", "REDIS_URL", "TICKETING_URL", "MCP_TOOLS"];
    const more = [
      "TICKETING_API_KEY",
      "TICKETING_PATHS",
      "REST_LIMIT",
      "TICKETING_LIMIT",
      "MCP_LIMIT",
      "CORS_ORIGINS",
      "LOG_LEVEL",
    ];
    const empty = Object.fromEntries([...names, ...more].map((name) => [name, ""]));
    expect(loadConfig(empty)).toEqual(loadConfig({}));
    expect(loadConfig({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      publicUrl: "http://127.0.0.1:3000",
      dataDir: "./data",
      databaseUrl: null,
      redisUrl: null,
      ticketing: null,
      ticketingPaths: "luma",
      mcpTools: ["*"],
      limits: { rest: 60, ticketing: 30, mcp: 120 },
      corsOrigins: [],
      logLevel: "info",
    });
  });

  it.each([
    ["PORT", "web", "expected an integer from 0 to 65535"],
    ["PORT", "65536", "expected an integer from 0 to 65535"],
    ["PORT", "-1", "expected an integer from 0 to 65535"],
    ["PUBLIC_URL", "example.com", "expected a URL that starts with http:// or https:// and has no query or fragment"],
    [
      "PUBLIC_URL",
      "https://example.com/?a=1",
      "expected a URL that starts with http:// or https:// and has no query or fragment",
    ],
    [
      "PUBLIC_URL",
      "https://example.com/events/",
      "expected a URL without a path, such as https://events.example.com: the service needs a host name of its own",
    ],
    [
      "TICKETING_URL",
      "ftp://example.com",
      "expected a URL that starts with http:// or https:// and has no query or fragment",
    ],
    ["TICKETING_PATHS", "Literal", "expected luma or literal"],
    ["REST_LIMIT", "0", "expected an integer from 1 to 1000000"],
    ["TICKETING_LIMIT", "many", "expected an integer from 1 to 1000000"],
    ["MCP_LIMIT", "1.5", "expected an integer from 1 to 1000000"],
    ["CORS_ORIGINS", "https://a.example,*", "expected origins such as https://app.example.com, separated by commas"],
    ["OPERATIONS_PORT", "metrics", "expected an integer from 0 to 65535"],
    ["SHUTDOWN_GRACE_S", "2.5", "expected an integer from 0 to 600"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5", "expected a number from 0 to 1"],
    ["LOG_LEVEL", "loud", "expected one of fatal, error, warn, info, debug, trace, silent"],
  ])("%s=%s is rejected by name", (name, value, expected) => {
    expect(problems({ TICKETING_URL: "https://tickets.example.com", [name]: value, TICKETING_API_KEY: "k" })).toEqual([
      `${name}=${value}: ${expected}`,
    ]);
  });

  it("is checked as a whole; messages contain no secrets", () => {
    const found = problems({
      PORT: "web",
      DATABASE_URL: "mysql://app:hunter1@db/events",
      REDIS_URL: "https://:hunter2@cache",
      TICKETING_URL: "https://tickets.example.com",
      PUBLIC_URL: "ftp://me:hunter3@example.com",
      LOG_LEVEL: `l\n${"o".repeat(1000)}ud`,
    });
    expect(found.map((line) => line.split(/[=:]/)[0])).toEqual(
      expect.arrayContaining(["PORT", "DATABASE_URL", "REDIS_URL", "TICKETING_API_KEY", "PUBLIC_URL", "LOG_LEVEL"]),
    );
    expect(found).toHaveLength(6);
    expect(found.join("\n")).not.toMatch(/hunter/);
    expect(Math.max(...found.map((line) => line.length))).toBeLessThan(400);
  });

  it("reports settings of a platform without its URL, and unknown tools beside other mistakes", () => {
    expect(problems({ TICKETING_PATHS: "literal" })).toEqual([
      "TICKETING_URL: expected the platform's URL, because TICKETING_PATHS is set",
    ]);
    expect(problems({ TICKETING_API_KEY: "secret" })).toEqual([
      "TICKETING_URL: expected the platform's URL, because TICKETING_API_KEY is set",
    ]);
    const checkTools = (names: string[]) => allowlistProblem(tools, names);
    expect(() => loadConfig({ PORT: "web", MCP_TOOLS: "speakers,nothing" }, {}, checkTools)).toThrow(
      /^PORT=web: .*\nMCP_TOOLS=speakers,nothing: unknown entry: nothing; expected \*, or .*$/,
    );
  });

  it("needs the parts of mail and OpenID Connect together, and prints no secret", () => {
    expect(
      problems({ SMTP_URL: "smtp://me:hunter1@mail", OIDC_CLIENT_SECRET: "hunter2", SECRET_KEY: "hunter3" }),
    ).toEqual([
      "SECRET_KEY: expected at least 32 random characters",
      "MAIL_FROM: expected the sender of mails, because SMTP_URL is set",
      "OIDC_ISSUER: expected the issuer's URL, because OIDC_CLIENT_SECRET is set",
    ]);
    expect(problems({ OIDC_ISSUER: "http://id.example.com", MAIL_FROM: "nobody" })).toEqual([
      "MAIL_FROM=nobody: expected an address such as Events <events@example.com>",
      "OIDC_ISSUER=http://id.example.com: expected a URL that starts with https://",
      "SMTP_URL: expected the mail server, because MAIL_FROM is set",
      "OIDC_CLIENT_ID: expected the id of this client at the issuer, because OIDC_ISSUER is set",
      "OIDC_CLIENT_SECRET: expected the secret of this client at the issuer, because OIDC_ISSUER is set",
    ]);
    const given = { OIDC_ISSUER: "https://id.example.com/", OIDC_CLIENT_ID: "svc", OIDC_CLIENT_SECRET: "s" };
    expect(loadConfig(given).oidc).toEqual({
      issuer: "https://id.example.com/",
      clientId: "svc",
      clientSecret: "s",
      label: "id.example.com",
    });
  });

  it.each([
    ["1", 1],
    ["10.0.0.0/8, ::1", "10.0.0.0/8, ::1"],
  ])("takes TRUSTED_PROXY=%s", (given, expected) => {
    expect(loadConfig({ TRUSTED_PROXY: given }).trustedProxy).toBe(expected);
  });

  it.each(["0", "true", "proxy", "10.0.0.0/33", "10.0.0.1/8/8"])("refuses TRUSTED_PROXY=%s", (given) => {
    expect(problems({ TRUSTED_PROXY: given })).toHaveLength(1);
  });

  it("recognizes a public URL that others may not reach", () => {
    const guessed = (env: Record<string, string>) => loadConfig(env).publicUrlIsGuessed;
    expect([guessed({ HOST: "0.0.0.0" }), guessed({ HOST: "10.0.0.1" })]).toEqual([true, true]);
    expect([guessed({}), guessed({ HOST: "0.0.0.0", PUBLIC_URL: "https://example.com" })]).toEqual([false, false]);
  });

  it("determines a reachable public URL without a trailing slash", () => {
    expect(loadConfig({ HOST: "0.0.0.0", PORT: "80" }).publicUrl).toBe("http://localhost:80");
    expect(loadConfig({ HOST: "::1" }).publicUrl).toBe("http://[::1]:3000");
    expect(loadConfig({ PUBLIC_URL: "https://example.com:8443/" }).publicUrl).toBe("https://example.com:8443");
    expect(loadConfig({}, { port: 81, host: "localhost" }).publicUrl).toBe("http://localhost:81");
  });

  it("configures traces as OpenTelemetry does, and does not print the headers", () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc==, x-tenant=7",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    };
    expect(loadConfig(env).traces).toEqual({
      endpoint: "http://127.0.0.1:4318",
      headers: { authorization: "Bearer abc==", "x-tenant": "7" },
      serviceName: "svc",
      ratio: 0.25,
    });
    for (const headers of ["hunter2", "a=%FF", "a=b\u0000", "a b=c"]) {
      expect(problems({ ...env, OTEL_EXPORTER_OTLP_HEADERS: headers })).toEqual([
        "OTEL_EXPORTER_OTLP_HEADERS: expected headers such as authorization=Bearer%20…, separated by commas",
      ]);
    }
  });

  it("if invalid makes a command exit with 1", async () => {
    const result = await svc(["serve"], { PORT: "web", DATABASE_URL: "mysql://app:hunter1@db/events" });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^svc: PORT=web: expected .*\nsvc: DATABASE_URL: expected .*\n$/);
  });
});

describe("an unreachable database", () => {
  it.each(["keys list", "serve --json"])("makes %s fail with one line, without the password", async (command) => {
    const port = await findFreePort();
    const url = `postgres://app:hunter1@127.0.0.1:${port}/events?application_name=hunter2`;
    const env = { DATABASE_URL: url, DATABASE_WAIT_S: "0" };
    const result = await svc(command.split(" "), env);
    const message = new RegExp(`DATABASE_URL \\(127\\.0\\.0\\.1:${port}/events\\): .*ECONNREFUSED`);
    if (command.endsWith("--json")) expect(JSON.parse(result.stdout).error).toMatch(message);
    expectRefusal({ ...result, stdout: "" }, 1, message);
    expect(result.stderr).not.toContain("hunter");
  });
});

withPostgres("a lost database connection", () => {
  let served: RunningService;
  let key: string;
  const server = new pg.Client({ connectionString: process.env.DATABASE_URL });
  beforeAll(async () => {
    served = await serveFreshDatabase("postgres");
    key = await makerOn(served.db).superAdminKey();
    await server.connect();
  });
  afterAll(async () => {
    await served.remove();
    await server.end();
  });

  const ping = () => call(served.url, "/api/svc/conferences", { key });
  const name = () => new URL(served.env.DATABASE_URL ?? "").pathname.slice(1);
  const disconnectAll = () =>
    server.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name()]);

  it("makes requests fail with a 503 without internals; the service recovers with the database", async () => {
    expect((await ping()).status).toBe(200);
    await server.query(`alter database ${name()} allow_connections false`);
    await disconnectAll();
    const failed = await ping();
    expect([failed.status, failed.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(failed.json).toEqual(
      errorBody("unavailable", expect.stringMatching(/^The database is not available: [a-z ]+\. Try again in 2 s$/)),
    );
    await server.query(`alter database ${name()} allow_connections true`);
    expect((await ping()).status).toBe(200);
    expect(served.server.child.exitCode).toBeNull();
  });

  it("at the start is waited for, which the log says without the password", async () => {
    const port = await findFreePort();
    const waiting = launchServe(["--port", "0"], {
      ...served.env,
      DATABASE_URL: `postgres://postgres:hunter1@127.0.0.1:${port}/${name()}`,
    });
    await waiting.untilError("waiting for the database");
    const relay = await startRelay(Number(new URL(served.env.DATABASE_URL ?? "").port), port);
    expect(await waiting.until("Ctrl-C")).toContain("is ready");
    const warnings = waiting.stderr().match(/^\{"level":40,.*$/gm);
    expect(warnings).toEqual([expect.stringMatching(/ECONNREFUSED.*trying for 30 s/)]);
    expect(waiting.stderr()).not.toContain("hunter1");
    expect(await waiting.end("SIGTERM")).toBe(0);
    await relay.close();
  });
});
