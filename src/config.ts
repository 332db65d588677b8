import { userInfo } from "node:os";
import { z } from "zod";
import { logLevels } from "./platform/observability/log.js";
import type { TraceOptions } from "./platform/observability/traces.js";
import { parseUrl } from "./platform/urls.js";

export type Config = {
  port: number;
  host: string;
  /** The base of the URLs in documents and of images; no trailing slash. */
  publicUrl: string;
  /** Whether PUBLIC_URL is missing although others can reach the service: its URLs then work only on this machine. */
  publicUrlIsGuessed: boolean;
  databaseUrl: string | null;
  dataDir: string;
  databasePoolSize: number;
  databaseWaitSeconds: number;
  redisUrl: string | null;
  ticketing: { url: string; apiKey: string } | null;
  mcpTools: string[];
  limits: { rest: number; ticketing: number; mcp: number };
  /** What the images of an organization's posters may add up to. */
  imageQuotaBytes: number;
  corsOrigins: string[];
  maxConnections: number;
  /** Where metrics are served; null: nowhere. */
  operations: { host: string; port: number } | null;
  /** How long requests are accepted after SIGTERM. */
  shutdownGraceMs: number;
  /** Null: no traces. */
  traces: TraceOptions | null;
  logLevel: (typeof logLevels)[number];
  /** The person at the command line, for records of what operators change. */
  operator: string;
};

export type ConfigOverrides = { port?: number | undefined; host?: string | undefined };

/** What is wrong with the value of MCP_TOOLS, if anything: only the service knows its tools. */
export type CheckTools = (names: string[]) => string | undefined;

/** Reads the environment. All mistakes are reported at once, by name; secrets are never printed. */
export function loadConfig(
  env: NodeJS.ProcessEnv = process.env,
  overrides: ConfigOverrides = {},
  checkTools: CheckTools = () => undefined,
): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const result = environment.safeParse(given);
  const problems = (result.error?.issues ?? []).map((issue) => describe(issue, given));
  const toolProblem = checkTools(commaList.parse(given.MCP_TOOLS ?? "*"));
  if (toolProblem !== undefined) problems.push(`MCP_TOOLS=${shown(String(given.MCP_TOOLS))}: ${toolProblem}`);
  if (!result.success || problems.length > 0) throw new Error([...new Set(problems)].join("\n"));
  const value = result.data;
  const port = overrides.port ?? value.PORT;
  const host = overrides.host || value.HOST;
  return {
    port,
    host,
    publicUrl: value.PUBLIC_URL ?? `http://${reachable(host)}:${port}`,
    publicUrlIsGuessed: value.PUBLIC_URL === undefined && !/^(127\.|localhost$|::1$)/.test(host),
    databaseUrl: value.DATABASE_URL ?? null,
    dataDir: value.DATA_DIR,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    databaseWaitSeconds: value.DATABASE_WAIT_S,
    redisUrl: value.REDIS_URL ?? null,
    ticketing: value.TICKETING_URL ? { url: value.TICKETING_URL, apiKey: value.TICKETING_API_KEY ?? "" } : null,
    mcpTools: value.MCP_TOOLS,
    limits: { rest: value.REST_LIMIT, ticketing: value.TICKETING_LIMIT, mcp: value.MCP_LIMIT },
    imageQuotaBytes: value.IMAGE_QUOTA_MB * 1_000_000,
    corsOrigins: value.CORS_ORIGINS,
    maxConnections: value.MAX_CONNECTIONS,
    operations:
      value.OPERATIONS_PORT === undefined ? null : { host: value.OPERATIONS_HOST, port: value.OPERATIONS_PORT },
    shutdownGraceMs: value.SHUTDOWN_GRACE_S * 1000,
    traces:
      value.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: value.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: value.OTEL_EXPORTER_OTLP_HEADERS,
            serviceName: value.OTEL_SERVICE_NAME,
            ratio: value.OTEL_TRACES_SAMPLER_ARG,
          },
    logLevel: value.LOG_LEVEL,
    operator: value.SUDO_USER ?? systemUser(),
  };
}

const secrets = new Set(["DATABASE_URL", "REDIS_URL", "TICKETING_API_KEY", "OTEL_EXPORTER_OTLP_HEADERS"]);

const hasProtocol = (text: string, protocols: string[]) => protocols.includes(parseUrl(text)?.protocol ?? "");

const url = (protocols: string[]) =>
  z.string().refine((text) => hasProtocol(text, protocols), {
    error: `expected a URL that starts with ${protocols.map((name) => `${name}//`).join(" or ")}`,
  });

/** A URL that paths are appended to. */
const baseUrl = z
  .string()
  .refine((text) => hasProtocol(text, ["http:", "https:"]) && /^[^?#\s]*$/.test(text), {
    error: "expected a URL that starts with http:// or https:// and has no query or fragment",
  })
  .transform((text) => text.replace(/\/+$/, ""));

const integer = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: `expected an integer from ${from} to ${to}` })
    .transform(Number)
    .refine((value) => value >= from && value <= to, { error: `expected an integer from ${from} to ${to}` });

const commaList = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

/** Headers as OpenTelemetry writes them: `name=value`, separated by commas, values percent-encoded. */
const headerList = commaList
  .refine((parts) => parts.every((part) => /^[\w-]+=([\x21-\x24\x26-\x7e]|%[2-7][0-9A-Fa-f])+$/.test(part)), {
    error: "expected headers such as authorization=Bearer%20…, separated by commas",
  })
  .transform((parts) =>
    Object.fromEntries(
      parts.map((part) => {
        const [name = "", ...value] = part.split("=");
        return [name, decodeURIComponent(value.join("="))];
      }),
    ),
  );

const ratio = z
  .string()
  .regex(/^(0|1|0?\.\d{1,9}|[01]\.0*)$/, { error: "expected a number from 0 to 1" })
  .transform(Number);

const origin = z.string().refine((text) => parseUrl(text)?.origin === text, {
  error: "expected origins such as https://app.example.com, separated by commas",
});

const environment = z
  .object({
    PORT: integer(0, 65_535).default(3000),
    HOST: z.string().default("127.0.0.1"),
    PUBLIC_URL: baseUrl.optional(),
    DATABASE_URL: url(["postgres:", "postgresql:"]).optional(),
    DATABASE_POOL_SIZE: integer(1, 1000).default(10),
    DATABASE_WAIT_S: integer(0, 3_600).default(30),
    DATA_DIR: z.string().default("./data"),
    REDIS_URL: url(["redis:", "rediss:"]).optional(),
    TICKETING_URL: baseUrl.optional(),
    TICKETING_API_KEY: z.string().optional(),
    MCP_TOOLS: commaList.default(["*"]),
    REST_LIMIT: integer(1, 1_000_000).default(60),
    TICKETING_LIMIT: integer(1, 1_000_000).default(30),
    MCP_LIMIT: integer(1, 1_000_000).default(120),
    IMAGE_QUOTA_MB: integer(1, 1_000_000).default(500),
    CORS_ORIGINS: commaList.pipe(z.array(origin)).default([]),
    MAX_CONNECTIONS: integer(1, 1_000_000).default(5000),
    OPERATIONS_HOST: z.string().default("127.0.0.1"),
    OPERATIONS_PORT: integer(0, 65_535).optional(),
    SHUTDOWN_GRACE_S: integer(0, 600).default(5),
    OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl.optional(),
    OTEL_EXPORTER_OTLP_HEADERS: headerList.default({}),
    OTEL_SERVICE_NAME: z.string().default("svc"),
    OTEL_TRACES_SAMPLER_ARG: ratio.default(1),
    SUDO_USER: z.string().optional(),
    LOG_LEVEL: z.enum(logLevels, { error: `expected one of ${logLevels.join(", ")}` }).default("info"),
  })
  .refine((value) => value.TICKETING_URL === undefined || value.TICKETING_API_KEY !== undefined, {
    path: ["TICKETING_API_KEY"],
    error: "expected the platform's key, because TICKETING_URL is set",
    // Checked beside other mistakes, so that all are reported at once.
    when: () => true,
  })
  .refine((value) => value.TICKETING_API_KEY === undefined || value.TICKETING_URL !== undefined, {
    path: ["TICKETING_URL"],
    error: "expected the platform's URL, because TICKETING_API_KEY is set",
    when: () => true,
  });

/** The environment variables that the service reads. */
export const variableNames = Object.keys(environment.shape);

function describe(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = String(issue.path[0]);
  if (!(name in given) || secrets.has(name)) return `${name}: ${issue.message}`;
  return `${name}=${shown(String(given[name]))}: ${issue.message}`;
}

/** One line of bounded length, without the password that a URL may contain. */
function shown(value: string): string {
  const short = value.length > 200 ? `${value.slice(0, 200)}…` : value;
  return short.replace(/\/\/.*@/s, "//…@").replace(/\p{Cc}/gu, "�");
}

/** An account without a name, as in some containers, has only a number. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

function reachable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
