import { parseArgs } from "node:util";

export type Options = {
  /** The service's address, without a slash at the end. */
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

export type Command = { kind: "help" } | { kind: "wrong usage"; problem: string } | { kind: "run"; options: Options };

export const help = `Usage: npm run posting-agent -- BASE_URL [options]

Posts every published poster that has no link for the platform yet, and reports the links back.
The API key comes from the environment, in SVC_KEY.

Options:
  --platform NAME      name under which links are reported (stand-in)
  --conference SLUG    only posters of this conference
  --max N              post at most N posters in this run
  --page-size N        items a page, 1 to 200 (50)
  --state DIR          journal and stored posts (./posting-agent-state)
  --network URL        post to a stand-in network that runs already, instead of starting one
  --network-port N     port of the one it starts (4010, or a free one when that is taken)
  --json               print one JSON document at the end
  --help

Example:
  SVC_KEY=svc_mk_… npm run posting-agent -- http://127.0.0.1:3000 --platform mastodon --max 5

It may be stopped at any moment: the next run goes on where it was and posts nothing twice.
Exit codes: 0 all done, 1 something failed or was refused, 2 wrong usage.
`;

export function readCommand(args: string[], environment: NodeJS.ProcessEnv): Command {
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: known });
    if (values.help) return { kind: "help" };
    return { kind: "run", options: readOptions(values, positionals, environment.SVC_KEY?.trim() ?? "") };
  } catch (error) {
    return { kind: "wrong usage", problem: error instanceof Error ? error.message : String(error) };
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
  if (service === undefined) throw new Error("the service's address is missing, as in http://127.0.0.1:3000");
  if (others.length > 0) throw new Error(`one address is expected, not also ${others.join(" ")}`);
  if (key === "") throw new Error("SVC_KEY is not set: put the API key there, as in SVC_KEY=svc_mk_…");
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(values.platform)) {
    throw new Error("--platform expects 1 to 64 letters, digits, dots, underscores or hyphens");
  }
  const port = values["network-port"];
  return {
    service: webAddress("BASE_URL", service).replace(/\/api\/svc$/, ""),
    key,
    platform: values.platform,
    conference: values.conference,
    max: values.max === undefined ? Number.POSITIVE_INFINITY : wholeNumber("--max", values.max, 1, 1_000_000),
    pageSize: wholeNumber("--page-size", values["page-size"], 1, 200),
    state: values.state,
    network:
      values.network === undefined
        ? { port: port === undefined ? undefined : wholeNumber("--network-port", port, 0, 65_535) }
        : { url: webAddress("--network", values.network) },
    json: values.json,
  };
}

function webAddress(name: string, text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new Error(`${name} expects an address such as http://127.0.0.1:3000, not ${text}`);
  }
  return text.replace(/\/+$/, "");
}

function wholeNumber(name: string, text: string, from: number, to: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < from || value > to) {
    throw new Error(`${name} expects a whole number from ${from} to ${to}, not ${text}`);
  }
  return value;
}
