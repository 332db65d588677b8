/** The service and the key of an agent, from `[BASE_URL]` and SVC_KEY. */
export function readConnection(positionals: string[]): { service: string; key: string } {
  const [service = "http://127.0.0.1:3000", ...others] = positionals;
  if (others.length > 0) throw new Error(`too many arguments: ${others.join(" ")}`);
  if (!URL.canParse(service)) throw new Error(`BASE_URL: expected a URL such as http://127.0.0.1:3000, got ${service}`);
  const { SVC_KEY: key } = process.env;
  if (!key) throw new Error("SVC_KEY is not set: expected an organization key (the first `npm start` prints one)");
  return { service, key };
}

/** Ends the program for what is wrong with its arguments. */
export function exitWithUsageError(program: string, error: unknown): never {
  process.stderr.write(`${program}: ${error instanceof Error ? error.message : String(error)}\nTry --help.\n`);
  process.exit(2);
}
