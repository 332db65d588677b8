import { z } from "zod";
import { canApprove, proposeTransition, type Transition } from "../../../contract/registrations.js";
import { allowOverCapacity, oneRegistration, ticketingNote } from "../../../contract/schema/registrations.js";
import { defineEventMutation } from "../../runner/mutation.js";
import type { ToolDeclaration } from "../../runner/tool.js";
import { getRegistration, readSeats, saveStates } from "./store.js";

/** A tool for one transition of one registration. */
export function defineTransition({
  transition,
  ...tool
}: Pick<ToolDeclaration, "name" | "title" | "description" | "example"> & {
  destructive: boolean;
  transition: Transition;
}) {
  const approves = canApprove(transition);
  return defineEventMutation({
    ...tool,
    group: "registrations",
    scope: "registrations:write",
    role: "admin",
    event: "host_or_co_host",
    input: z.object({ ...oneRegistration, ...(approves && { allow_over_capacity: allowOverCapacity }) }),
    async read({ tx, event }, input) {
      const unlimited = !approves || input.allow_over_capacity === true;
      const [registration, seats] = await Promise.all([
        getRegistration(tx, event.id, { id: input.registration_id }),
        readSeats(tx, event.id, { unlimited }),
      ]);
      return { registration, ...seats };
    },
    propose: (current) => proposeTransition(current, transition),
    // Whether a seat is free is checked by `propose`, so other guests are no part of the version.
    basis: ({ registration }) => registration,
    store: ({ tx, event }, { proposed }) => saveStates(tx, event.id, [proposed.registration]),
    report: (_, event) => ticketingNote(event),
  });
}
