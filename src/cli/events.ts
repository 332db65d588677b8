import type { Command } from "commander";
import type { Status } from "../../contract/nouns.js";
import { ticketingEventId } from "../../contract/schema/events.js";
import { linkEvent, setEventStatus } from "../modules/events/admin-store.js";
import { withDatabase } from "../open-database.js";
import { statusOption } from "./conferences.js";
import { parseWith } from "./options.js";
import { print, printable, printJson } from "./output.js";

type LinkOptions = { ticketingId?: string; unlink?: true; json?: true };

export function addEventsCommands(program: Command): void {
  const events = program
    .command("events")
    .description("change the status of events, and link them to the external ticketing platform")
    .addHelpText("after", '\nExample:\n  $ svc events link "Opening keynote" --ticketing-id evt-7Yx2kQpLmN');
  addSetStatusCommand(events);
  events
    .command("link")
    .description("link an event to its counterpart on the ticketing platform")
    .argument("<event>", "the event's id, or its name if it is unique")
    .option(
      "--ticketing-id <evt-…>",
      "the event's id on the ticketing platform, which only one event may have",
      parseWith(ticketingEventId),
    )
    .option("--unlink", "remove the link")
    .option("--json", "print one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  $ svc events link "Opening keynote" --ticketing-id evt-7Yx2kQpLmN
  $ svc events link 3f0c2a9e-5b1d-4c55-9a53-0d8f6f4f5f11 --unlink`,
    )
    .action(async (event: string, options: LinkOptions, command: Command) => {
      if ((options.ticketingId === undefined) === (options.unlink === undefined)) {
        command.error("error: expected either --ticketing-id or --unlink");
      }
      const linked = await withDatabase("events link", (db, operator) =>
        linkEvent(db, operator, event, options.ticketingId ?? null),
      );
      if (options.json) return printJson(linked);
      const state = linked.ticketing_event_id === null ? "is not linked" : `is linked to ${linked.ticketing_event_id}`;
      print(`${linked.name} (${linked.id}, ${linked.conference}) ${state}.`);
    });
}

function addSetStatusCommand(events: Command): void {
  events
    .command("set-status")
    .description("publish, archive or hide an event with its posters")
    .argument("<event>", "the event's id, or its name if it is unique")
    .addOption(statusOption())
    .option("--json", "print one JSON document")
    .addHelpText("after", '\nExample:\n  $ svc events set-status "Opening keynote" --status published')
    .action(async (event: string, options: { status: Status; json?: true }) => {
      const changed = await withDatabase("events set-status", (db, operator) =>
        setEventStatus(db, operator, event, options.status),
      );
      if (options.json) printJson(changed);
      else print(`${printable(changed.name)} (${changed.id}, ${changed.conference}) is ${changed.status}.`);
    });
}
