import { userInfo } from "node:os";
import {
  type ConfigProblem,
  commaList,
  describeIssue,
  environment,
  shown,
  type Values,
  validValues,
} from "./environment.js";

export type ConfigOverrides = {
  port?: number | undefined;
  host?: string | undefined;
  workers?: number | undefined;
};

/** What is wrong with the value of MCP_TOOLS, if anything: only the service knows its tools. */
export type CheckTools = (names: string[]) => string | undefined;

/** Reads the environment. All mistakes are reported at once, by name; secrets are never printed. */
export function loadConfig(
  env: NodeJS.ProcessEnv = process.env,
  overrides: ConfigOverrides = {},
  checkTools: CheckTools = () => undefined,
): Config {
  const { config, problems } = readConfig(env, overrides, checkTools);
  if (problems.length > 0) throw new Error([...new Set(problems.map(({ text }) => text))].join("\n"));
  return config;
}

/** The same without throwing: in the configuration, what is wrong is as if it were not set. */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  overrides: ConfigOverrides = {},
  checkTools: CheckTools = () => undefined,
): { config: Config; problems: ConfigProblem[] } {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const result = environment.safeParse(given);
  const problems = (result.error?.issues ?? []).map((issue) => describeIssue(issue, given));
  const toolProblem = checkTools(commaList.parse(given.MCP_TOOLS ?? "*"));
  if (toolProblem !== undefined) {
    const text = `MCP_TOOLS=${shown(String(given.MCP_TOOLS))}: ${toolProblem}`;
    problems.push({ variable: "MCP_TOOLS", text });
  }
  return { config: configOf(result.success ? result.data : validValues(given), overrides), problems };
}

export type Config = ReturnType<typeof configOf>;

function configOf(value: Values, overrides: ConfigOverrides) {
  const port = overrides.port ?? value.PORT;
  const host = overrides.host || value.HOST;
  return {
    port,
    host,
    /** Processes that serve the port together. */
    workers: overrides.workers ?? value.WORKERS,
    /** The base of the URLs in documents and of images; no trailing slash. */
    publicUrl: value.PUBLIC_URL ?? `http://${reachable(host)}:${port}`,
    /** Whether PUBLIC_URL is missing although others can reach the service: its URLs then work only on this machine. */
    publicUrlIsGuessed: value.PUBLIC_URL === undefined && !/^(127\.|localhost$|::1$)/.test(host),
    databaseUrl: value.DATABASE_URL ?? null,
    dataDir: value.DATA_DIR,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    databaseWaitSeconds: value.DATABASE_WAIT_S,
    redisUrl: value.REDIS_URL ?? null,
    ticketing: value.TICKETING_URL ? { url: value.TICKETING_URL, apiKey: value.TICKETING_API_KEY ?? "" } : null,
    /** Luma's paths, or exactly those that callers use. */
    ticketingPaths: value.TICKETING_PATHS ?? "luma",
    mcpTools: value.MCP_TOOLS,
    limits: { rest: value.REST_LIMIT, ticketing: value.TICKETING_LIMIT, mcp: value.MCP_LIMIT },
    /** Requests per minute of a person in the console, or of an address that is not signed in. */
    consoleLimit: value.CONSOLE_LIMIT,
    /** What the images of an organization's posters may add up to. */
    imageQuotaBytes: value.IMAGE_QUOTA_MB * 1_000_000,
    /** How much a process keeps of responses; 0: nothing. */
    cacheBytes: value.CACHE_MB * 1_000_000,
    corsOrigins: value.CORS_ORIGINS,
    /** The proxies whose X-Forwarded-For header is believed: how many there are, or their addresses; false: none. */
    trustedProxy: value.TRUSTED_PROXY ?? (false as const),
    /** What keys are derived from; null: a secret in the database. */
    secretKey: value.SECRET_KEY ?? null,
    /** Null: no mail is sent, and links are shown instead. */
    mail: value.SMTP_URL ? { smtpUrl: value.SMTP_URL, from: value.MAIL_FROM ?? "" } : null,
    /** Null: people sign in with a password only. */
    oidc: value.OIDC_ISSUER
      ? {
          issuer: value.OIDC_ISSUER,
          clientId: value.OIDC_CLIENT_ID ?? "",
          clientSecret: value.OIDC_CLIENT_SECRET ?? "",
          label: value.OIDC_LABEL ?? new URL(value.OIDC_ISSUER).host,
        }
      : null,
    maxConnections: value.MAX_CONNECTIONS,
    /** Where metrics are served; null: nowhere. */
    operations:
      value.OPERATIONS_PORT === undefined ? null : { host: value.OPERATIONS_HOST, port: value.OPERATIONS_PORT },
    /** How long requests are accepted after SIGTERM. */
    shutdownGraceMs: value.SHUTDOWN_GRACE_S * 1000,
    /** Null: no traces. */
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
    /** The person at the command line, for records of what operators change. */
    operator: value.SUDO_USER ?? systemUser(),
  };
}

/** What workers lack: processes behave as one only if what they share is not in their memory. */
export function missingForWorkers({ workers, databaseUrl, redisUrl }: Config): { finding: string; remedy: string }[] {
  if (workers === 1) return [];
  const missing = [];
  if (databaseUrl === null) missing.push({ finding: `${workers} workers need PostgreSQL`, variable: "DATABASE_URL" });
  if (redisUrl === null) {
    const finding = `${workers} workers need Redis, or each would count rate limits for itself`;
    missing.push({ finding, variable: "REDIS_URL" });
  }
  return missing.map(({ finding, variable }) => ({
    finding,
    remedy: `set ${variable}, or set --workers (WORKERS) to 1`,
  }));
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
