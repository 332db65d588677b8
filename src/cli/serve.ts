import { type Command, InvalidArgumentError } from "commander";
import type { ServeOptions } from "./run-service.js";

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("migrate, then serve; Ctrl-C drains and stops")
    .option("--port <number>", "where it listens (PORT, else 3000); 0 takes a free one", parsePort)
    .option("--host <address>", "the address it listens on (HOST, else 127.0.0.1)")
    .option("--no-demo", "leave an empty embedded database empty")
    .option("--json", "print one JSON document when it is ready")
    .addHelpText(
      "after",
      `
Examples:
  $ svc serve                                      embedded database in ./data, demo data on the first start
  $ svc serve --port 8080 --host 0.0.0.0
  $ DATABASE_URL=postgres://localhost/events REDIS_URL=redis://localhost svc serve`,
    )
    // The service takes longer to load than the other commands take to run.
    .action(async (options: ServeOptions) => (await import("./run-service.js")).runService(options));
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError("It expects a port, 0 to 65535.");
  return Number(text);
}
