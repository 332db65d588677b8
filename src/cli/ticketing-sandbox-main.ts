import { Command } from "commander";
import { messageOf } from "../../contract/errors.js";
import { addTicketingSandboxCommand } from "./ticketing-sandbox.js";

/** `svc ticketing-sandbox` without the rest of the service, which starts it as a child process. */
const program = new Command("svc");
addTicketingSandboxCommand(program);
try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`svc: ${messageOf(error)}\n`);
  process.exitCode = 1;
}
