import { parseArgs } from "node:util";

export type Options = {
  /** The base URL of the service, without a trailing slash. */
  service: string;
  key: string;
  platform: string;
  conference: string | undefined;
  max: number;
  pageSize: number;
  state: string;
  network: { url: string } | { port: number | undefined };
  json: boolean;
};

export type Command = { kind: "help" } | { kind: "usage error"; problem: string } | { kind: "run"; options: Options };

export const help = `Usage: npm run posting-agent -- BASE_URL [options]

Posts every published poster that has no link for the platform yet, and reports the links.
The API key is read from the environment variable SVC_KEY.

Options:
  --platform NAME      platform name to report links under (default stand-in)
  --conference SLUG    only posters of this conference
  --max N              post at most N posters in this run
  --page-size N        items per page, 1 to 200 (default 50)
  --state DIR          directory of the journal and stored posts (default ./posting-agent-state)
  --network URL        use a running stand-in network instead of starting one
  --network-port N     port of the started network (default 4010, or a free port if 4010 is in use)
  --json               print one JSON document at the end
  --help

Example:
  SVC_KEY=svc_mk_… npm run posting-agent -- http://127.0.0.1:3000 --platform mastodon --max 5

It can be stopped at any time: the next run resumes and posts nothing twice.
Exit codes: 0 success, 1 a post or report failed, 2 usage error.
`;

export function readCommand(args: string[], environment: NodeJS.ProcessEnv): Command {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: known });
    if (values.help) return { kind: "help" };
    return { kind: "run", options: readOptions(values, positionals, environment.SVC_KEY?.trim() ?? "") };
  } catch (error) {
    return { kind: "usage error", problem: error instanceof Error ? error.message : String(error) };
  }
}

const known = {
  platform: { type: "string", default: "stand-in" },
  conference: { type: "string" },
  max: { type: "string" },
  "page-size": { type: "string", default: "50" },
  state: { type: "string", default: "./posting-agent-state" },
  network: { type: "string" },
  "network-port": { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof known }>>["values"];

function readOptions(values: Values, positionals: string[], key: string): Options {
  const [service, ...others] = positionals;
  if (service === undefined) throw new Error("BASE_URL is missing: expected a URL such as http://127.0.0.1:3000");
  if (others.length > 0) throw new Error(`too many arguments: ${others.join(" ")}`);
  if (key === "") throw new Error("SVC_KEY is not set: expected an API key (SVC_KEY=svc_mk_…)");
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(values.platform)) {
    throw new Error("--platform: expected 1 to 64 letters, digits, dots, underscores or hyphens");
  }
  const port = values["network-port"];
  return {
    service: parseUrl("BASE_URL", service).replace(/\/api\/svc$/, ""),
    key,
    platform: values.platform,
    conference: values.conference,
    max: values.max === undefined ? Number.POSITIVE_INFINITY : parseInteger("--max", values.max, 1, 1_000_000),
    pageSize: parseInteger("--page-size", values["page-size"], 1, 200),
    state: values.state,
    network:
      values.network === undefined
        ? { port: port === undefined ? undefined : parseInteger("--network-port", port, 0, 65_535) }
        : { url: parseUrl("--network", values.network) },
    json: values.json,
  };
}

function parseUrl(name: string, text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new Error(`${name}: expected a URL such as http://127.0.0.1:3000, got ${text}`);
  }
  return text.replace(/\/+$/, "");
}

function parseInteger(name: string, text: string, from: number, to: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) {
    throw new Error(`${name}: expected an integer from ${from} to ${to}, got ${text}`);
  }
  return value;
}
