import { isIP } from "node:net";
import { z } from "zod";
import { parseUrl } from "../contract/urls.js";
import { logLevels } from "./infra/observability/log.js";

/** The environment variables that the service reads, and what is wrong with values. config.ts makes the configuration of them. */

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

export const commaList = z.string().transform((text) =>
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

/** The most processes that serve one port. */
export const maximumWorkers = 128;

export const environment = z
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

/** Checks that a variable comes with another, together with all other checks, so that all mistakes are reported at once. */
function needs<Name extends string, Other extends string>(name: Name, other: Other, meaning: string) {
  return [
    (value: { [key in Name | Other]?: unknown }) => value[name] === undefined || value[other] !== undefined,
    { path: [other] as PropertyKey[], error: `expected ${meaning}, because ${name} is set`, when: () => true },
  ] as const;
}

/** The environment variables that the service reads. */
export const variableNames = Object.keys(environment.shape);

/** A mistake in the environment, in words that contain no secret. */
export type ConfigProblem = { variable: string; text: string };

export function describeIssue(issue: z.core.$ZodIssue, given: Record<string, unknown>): ConfigProblem {
  const variable = String(issue.path[0]);
  const value = !(variable in given) || secrets.has(variable) ? "" : `=${shown(String(given[variable]))}`;
  return { variable, text: `${variable}${value}: ${issue.message}` };
}

/** One line of bounded length, without the password that a URL may contain. */
export function shown(value: string): string {
  const short = value.length > 200 ? `${value.slice(0, 200)}…` : value;
  return short.replace(/\/\/.*@/s, "//…@").replace(/\p{Cc}/gu, "�");
}

export type Values = z.output<typeof environment>;

/** The values that are valid; the others as if they were not set. */
export function validValues(given: Record<string, unknown>): Values {
  const values = Object.entries(environment.shape).map(([name, schema]) => {
    const { success, data } = schema.safeParse(given[name]);
    return [name, success ? data : schema.parse(undefined)];
  });
  return Object.fromEntries(values) as Values;
}
