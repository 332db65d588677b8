import { z } from "zod";
import { defineEventMutation } from "../../tools/mutation.js";
import type { ToolDeclaration } from "../../tools/tool.js";
import { canApprove, proposeTransition, type Transition } from "./rules.js";
import { allowOverCapacity, oneRegistration } from "./schema.js";
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
    read: async ({ tx, event }, input) => ({
      registration: await getRegistration(tx, event.id, input.registration_id),
      ...(await readSeats(tx, event.id, { unlimited: !approves || input.allow_over_capacity === true })),
    }),
    propose: (current) => proposeTransition(current, transition),
    store: ({ tx, event }, { proposed }) => saveStates(tx, event.id, [proposed.registration]),
  });
}
