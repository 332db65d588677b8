import { z } from "zod";
import { allowedActions } from "../../../../contract/registrations.js";
import { oneRegistration, registrationDetails } from "../../../../contract/schema/registrations.js";
import { rowsWithin, textWithin } from "../../../infra/bounded.js";
import { defineEventRead } from "../../../runner/tool.js";
import { exampleIds } from "../../../schema/examples.js";
import { getRegistrationDetails, listHistory } from "../history-store.js";

export const getEventRegistrationDetails = defineEventRead({
  name: "get_event_registration_details",
  title: "Get a registration",
  group: "registrations",
  description:
    "One guest: answers, note, the newest 50 changes with who made them and why, and open_moves, the actions that are allowed now.",
  scope: "registrations:read",
  role: "member",
  example: { event_id: exampleIds.event, registration_id: exampleIds.approvedRegistration },
  event: "host_or_co_host",
  input: z.object(oneRegistration),
  output: registrationDetails,
  async read({ tx, caller, event }, { registration_id }) {
    const [{ answers, note, ...registration }, history] = await Promise.all([
      getRegistrationDetails(tx, event.id, registration_id),
      listHistory(tx, caller, event.id, registration_id),
    ]);
    return {
      registration: { ...registration, ...answersWithin(answers), note: textWithin(note, maximumBytes.note) },
      history: rowsWithin(history, maximumBytes.history),
      open_moves: allowedActions({ ...registration, checked_in: registration.checked_in_at !== null }),
    };
  },
});

/** Together below the limit of a result. */
const maximumBytes = { answers: 16_000, note: 24_000, history: 20_000 };

function answersWithin(answers: Record<string, unknown>) {
  const all = Object.entries(answers);
  const shown = rowsWithin(all, maximumBytes.answers, { skip: true });
  return {
    answers: Object.fromEntries(shown),
    ...(shown.length < all.length ? { answers_left_out: all.length - shown.length } : {}),
  };
}
