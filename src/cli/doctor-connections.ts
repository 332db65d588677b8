import { Redis } from "ioredis";
import { messageOf } from "../../contract/errors.js";
import { type Config, missingForWorkers } from "../config.js";
import { checkCollector } from "../infra/observability/traces.js";
import { checkMailServer } from "../sign-in/mail.js";
import { discoverIssuer } from "../sign-in/oidc-issuer.js";
import { type ConfigCheck, type Finding, ok, problem, reasonOf, warning } from "./doctor-findings.js";

const connectMs = 5_000;

/** What is examined without the database. */
export const connectionChecks: ConfigCheck[] = [
  {
    name: "address",
    finds: "links that others cannot open",
    variables: ["PUBLIC_URL", "HOST", "PORT"],
    async run({ config }) {
      if (!config.publicUrlIsGuessed) return ok(`links begin with ${config.publicUrl}`);
      return warning(
        `PUBLIC_URL is not set: links begin with ${config.publicUrl}`,
        "set PUBLIC_URL to the address that others use",
      );
    },
  },
  {
    name: "workers",
    finds: "workers without what they share",
    variables: ["WORKERS", "DATABASE_URL", "REDIS_URL"],
    async run({ config }) {
      const missing = missingForWorkers(config);
      if (missing.length === 0)
        return ok(config.workers === 1 ? "one process serves" : `${config.workers} processes serve`);
      const all = (part: "finding" | "remedy") => missing.map((each) => each[part]).join("; ");
      return problem(all("finding"), all("remedy"));
    },
  },
  {
    name: "redis",
    finds: "a Redis that does not respond, lacks the database of the URL or refuses to count",
    variables: ["REDIS_URL"],
    run: ({ config }) => checkRedis(config),
  },
  {
    name: "ticketing",
    finds: "a ticketing platform that does not respond",
    variables: ["TICKETING_URL", "TICKETING_API_KEY", "DATABASE_URL"],
    async run({ config }) {
      if (config.ticketing === null) {
        if (config.databaseUrl === null) return ok("no platform is configured: the service starts its sandbox");
        return warning(
          "no platform is configured: the ticketing proxy responds with 503",
          "set TICKETING_URL and TICKETING_API_KEY, unless ticketing is not used",
        );
      }
      const { url } = config.ticketing;
      const signal = AbortSignal.timeout(connectMs);
      // Any response shows that it can be reached; nothing is sent that needs the key.
      return reaching(new URL(url).host, "check TICKETING_URL and the network", () =>
        fetch(url, { method: "HEAD", redirect: "manual", signal }),
      );
    },
  },
  {
    name: "mail",
    finds: "a mail server that does not respond or refuses the user and password",
    variables: ["SMTP_URL", "MAIL_FROM"],
    async run({ config: { mail } }) {
      if (mail === null) return ok("no mail server is configured: links are only shown");
      const remedy = "check SMTP_URL: until it works, invitations and password links are not mailed";
      return reaching(new URL(mail.smtpUrl).host, remedy, () => checkMailServer(mail));
    },
  },
  {
    name: "sign-in",
    finds: "an OpenID Connect issuer that does not respond, or is another one",
    variables: ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
    async run({ config: { oidc } }) {
      if (oidc === null) return ok("no issuer is configured: people sign in with passwords");
      const remedy =
        "check OIDC_ISSUER: it must be the issuer that its /.well-known/openid-configuration names, to the letter";
      return reaching(new URL(oidc.issuer).host, remedy, () => discoverIssuer(oidc));
    },
  },
  {
    name: "traces",
    finds: "a trace collector that does not take spans",
    variables: ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS"],
    async run({ config: { traces } }) {
      if (traces === null) return ok("no collector is configured: nothing is traced");
      const remedy =
        "check OTEL_EXPORTER_OTLP_ENDPOINT, to which /v1/traces is added, and OTEL_EXPORTER_OTLP_HEADERS: until it works, spans are dropped";
      return reaching(new URL(traces.endpoint).host, remedy, () => checkCollector(traces));
    },
  },
];

async function reaching(host: string, remedy: string, reach: () => Promise<unknown>): Promise<Finding> {
  try {
    await reach();
    return ok(`${host} responds`);
  } catch (error) {
    return problem(`${host} cannot be used: ${reasonOf(error)}`, remedy);
  }
}

async function checkRedis({ redisUrl, databaseUrl, workers }: Config): Promise<Finding> {
  if (redisUrl === null) {
    const finding = "rate limits are counted in memory, for this process only";
    // Without it, several workers do not start, which is a finding of its own.
    if (databaseUrl === null || workers > 1) return ok(finding);
    return warning(finding, "set REDIS_URL if several processes serve");
  }
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: connectMs,
    commandTimeout: connectMs,
    retryStrategy: () => null,
  });
  let reason = "";
  redis.on("error", (error) => {
    reason = messageOf(error);
  });
  const meanwhile = "limits are counted in memory meanwhile";
  try {
    await redis.connect();
    await redis.ping();
    // The driver goes on in database 0 if the one of the URL does not exist.
    const index = redis.options.db ?? 0;
    const selected = await redis.select(index).then(
      () => undefined,
      (error: unknown) => messageOf(error),
    );
    if (selected !== undefined) {
      const remedy = `end REDIS_URL with /0, or raise databases in redis.conf above ${index}`;
      return problem(`Redis has no database ${index}: ${selected}`, remedy);
    }
    // As the service does: a replica and a full Redis respond, but do not count.
    await redis.set("svc:limit:probe", "", "EX", 60);
    return ok("Redis responds and counts");
  } catch (error) {
    return problem(`Redis cannot be used: ${reason || messageOf(error)}`, `check REDIS_URL; ${meanwhile}`);
  } finally {
    redis.disconnect();
  }
}
