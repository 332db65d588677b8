import { isIP } from "node:net";
import { userInfo } from "node:os";
import { z } from "zod";
import { logLevels } from "./platform/observability/log.js";
import type { TraceOptions } from "./platform/observability/traces.js";
import { parseUrl } from "./platform/urls.js";

export type Config = {
  port: number;
  host: string;
  /** Processes that serve the port together. */
  workers: number;
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
  /** Luma's paths, or exactly those that callers use. */
  ticketingPaths: "luma" | "literal";
  mcpTools: string[];
  limits: { rest: number; ticketing: number; mcp: number };
  /** Requests per minute of a person in the console, or of an address that is not signed in. */
  consoleLimit: number;
  /** What the images of an organization's posters may add up to. */
  imageQuotaBytes: number;
  /** How much a process keeps of responses; 0: nothing. */
  cacheBytes: number;
  corsOrigins: string[];
  /** The proxies whose X-Forwarded-For header is believed: how many there are, or their addresses; false: none. */
  trustedProxy: number | string | false;
  /** What keys are derived from; null: a secret in the database. */
  secretKey: string | null;
  /** Null: no mail is sent, and links are shown instead. */
  mail: { smtpUrl: string; from: string } | null;
  /** Null: people sign in with a password only. */
  oidc: { issuer: string; clientId: string; clientSecret: string; label: string } | null;
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

export type ConfigOverrides = {
  port?: number | undefined;
  host?: string | undefined;
  workers?: number | undefined;
};

export const maximumWorkers = 128;

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
    workers: overrides.workers ?? value.WORKERS,
    publicUrl: value.PUBLIC_URL ?? `http://${reachable(host)}:${port}`,
    publicUrlIsGuessed: value.PUBLIC_URL === undefined && !/^(127\.|localhost$|::1$)/.test(host),
    databaseUrl: value.DATABASE_URL ?? null,
    dataDir: value.DATA_DIR,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    databaseWaitSeconds: value.DATABASE_WAIT_S,
    redisUrl: value.REDIS_URL ?? null,
    ticketing: value.TICKETING_URL ? { url: value.TICKETING_URL, apiKey: value.TICKETING_API_KEY ?? "" } : null,
    ticketingPaths: value.TICKETING_PATHS ?? "luma",
    mcpTools: value.MCP_TOOLS,
    limits: { rest: value.REST_LIMIT, ticketing: value.TICKETING_LIMIT, mcp: value.MCP_LIMIT },
    consoleLimit: value.CONSOLE_LIMIT,
    imageQuotaBytes: value.IMAGE_QUOTA_MB * 1_000_000,
    cacheBytes: value.CACHE_MB * 1_000_000,
    corsOrigins: value.CORS_ORIGINS,
    trustedProxy: value.TRUSTED_PROXY ?? false,
    secretKey: value.SECRET_KEY ?? null,
    mail: value.SMTP_URL ? { smtpUrl: value.SMTP_URL, from: value.MAIL_FROM ?? "" } : null,
    oidc: value.OIDC_ISSUER
      ? {
          issuer: value.OIDC_ISSUER,
          clientId: value.OIDC_CLIENT_ID ?? "",
          clientSecret: value.OIDC_CLIENT_SECRET ?? "",
          label: value.OIDC_LABEL ?? new URL(value.OIDC_ISSUER).host,
        }
      : null,
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

const secrets = new Set([
  ...["DATABASE_URL", "REDIS_URL", "TICKETING_API_KEY", "OTEL_EXPORTER_OTLP_HEADERS"],
  ...["SECRET_KEY", "SMTP_URL", "OIDC_CLIENT_SECRET"],
]);

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

/** The console's addresses begin at the root of a host. */
const publicUrl = baseUrl.refine((text) => parseUrl(text)?.pathname === "/", {
  error: "expected a URL without a path, such as https://events.example.com: the service needs a host name of its own",
});

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

/** A number of proxies, or their addresses. */
const trustedProxy = z
  .string()
  .refine((text) => /^[1-9]$/.test(text) || text.split(",").every((part) => isNetwork(part.trim())), {
    error: "expected the number of proxies, from 1 to 9, or their addresses such as 10.0.0.0/8, separated by commas",
  })
  .transform((text) => (/^[1-9]$/.test(text) ? Number(text) : text));

function isNetwork(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

const environment = z
  .object({
    PORT: integer(0, 65_535).default(3000),
    HOST: z.string().default("127.0.0.1"),
    WORKERS: integer(1, maximumWorkers).default(1),
    PUBLIC_URL: publicUrl.optional(),
    DATABASE_URL: url(["postgres:", "postgresql:"]).optional(),
    DATABASE_POOL_SIZE: integer(1, 1000).default(10),
    DATABASE_WAIT_S: integer(0, 3_600).default(30),
    DATA_DIR: z.string().default("./data"),
    REDIS_URL: url(["redis:", "rediss:"]).optional(),
    TICKETING_URL: baseUrl.optional(),
    TICKETING_API_KEY: z.string().optional(),
    TICKETING_PATHS: z.enum(["luma", "literal"], { error: "expected luma or literal" }).optional(),
    MCP_TOOLS: commaList.default(["*"]),
    REST_LIMIT: integer(1, 1_000_000).default(60),
    TICKETING_LIMIT: integer(1, 1_000_000).default(30),
    MCP_LIMIT: integer(1, 1_000_000).default(120),
    CONSOLE_LIMIT: integer(1, 1_000_000).default(600),
    IMAGE_QUOTA_MB: integer(1, 1_000_000).default(500),
    CACHE_MB: integer(0, 100_000).default(64),
    CORS_ORIGINS: commaList.pipe(z.array(origin)).default([]),
    MAX_CONNECTIONS: integer(1, 1_000_000).default(5000),
    TRUSTED_PROXY: trustedProxy.optional(),
    SECRET_KEY: z.string().min(32, { error: "expected at least 32 random characters" }).optional(),
    SMTP_URL: url(["smtp:", "smtps:"]).optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\p{Cc}]*[^\s@<]@[^\s@>]+>?$/u, { error: "expected an address such as Events <events@example.com>" })
      .optional(),
    OIDC_ISSUER: z
      .string()
      .refine((text) => hasProtocol(text, ["https:"]) || /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]/.test(text), {
        error: "expected a URL that starts with https://",
      })
      .optional(),
    OIDC_CLIENT_ID: z.string().optional(),
    OIDC_CLIENT_SECRET: z.string().optional(),
    OIDC_LABEL: z.string().optional(),
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
  .refine(...needs("TICKETING_URL", "TICKETING_API_KEY", "the platform's key"))
  .refine(...needs("TICKETING_API_KEY", "TICKETING_URL", "the platform's URL"))
  .refine(...needs("TICKETING_PATHS", "TICKETING_URL", "the platform's URL"))
  .refine(...needs("SMTP_URL", "MAIL_FROM", "the sender of mails"))
  .refine(...needs("MAIL_FROM", "SMTP_URL", "the mail server"))
  .refine(...needs("OIDC_ISSUER", "OIDC_CLIENT_ID", "the id of this client at the issuer"))
  .refine(...needs("OIDC_ISSUER", "OIDC_CLIENT_SECRET", "the secret of this client at the issuer"))
  .refine(...needs("OIDC_CLIENT_ID", "OIDC_ISSUER", "the issuer's URL"))
  .refine(...needs("OIDC_CLIENT_SECRET", "OIDC_ISSUER", "the issuer's URL"));

/** A check that a variable comes with another, made beside other mistakes, so that all are reported at once. */
function needs<Name extends string, Other extends string>(name: Name, other: Other, meaning: string) {
  return [
    (value: { [key in Name | Other]?: unknown }) => value[name] === undefined || value[other] !== undefined,
    { path: [other] as PropertyKey[], error: `expected ${meaning}, because ${name} is set`, when: () => true },
  ] as const;
}

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
