import { z } from "zod";
import { timestamp } from "../../../schema/fields.js";
import { defineEventRead } from "../../../tools/tool.js";
import { getRegistrationDetails, listHistory } from "../history-store.js";
import { openMoveNames, openMoves } from "../rules.js";
import { oneRegistration, registrationStatus, rosterItem } from "../schema.js";

export const getEventRegistrationDetails = defineEventRead({
  name: "get_event_registration_details",
  title: "Look at a registration",
  group: "registrations",
  description:
    "All about one guest: answers, note, who changed the registration and why (newest first, 50 at most), and which moves are open now.",
  scope: "registrations:read",
  role: "member",
  event: "host_or_co_host",
  input: z.object(oneRegistration),
  output: z.object({
    registration: rosterItem.extend({
      previous_status: registrationStatus.exclude(["declined"]).nullable(),
      answers: z.record(z.string(), z.unknown()),
      answers_left_out: z.int().optional().meta({ description: "how many answers were too long to show" }),
      source: z.string().nullable(),
      note: z.string().nullable(),
    }),
    history: z.array(
      z.object({
        at: timestamp,
        tool: z.string(),
        from: z.string().nullable(),
        to: z.string().nullable(),
        reason: z.string().nullable(),
        user: z.object({ name: z.string(), email: z.string() }).nullable(),
        key: z.string().nullable(),
      }),
    ),
    open_moves: z.array(z.enum(openMoveNames)),
  }),
  async read(context, { registration_id }) {
    const { event } = context;
    const { answers, ...registration } = await getRegistrationDetails(context.tx, event.id, registration_id);
    return {
      registration: { ...registration, ...shortened(answers) },
      history: await listHistory(context.tx, event.id, registration_id),
      open_moves: openMoves({ ...registration, checked_in: registration.checked_in_at !== null }),
    };
  },
});

const maximumAnswersBytes = 16_000;

function shortened(answers: Record<string, unknown>): { answers: Record<string, unknown>; answers_left_out?: number } {
  let bytes = 0;
  const all = Object.entries(answers);
  const shown = all.filter(([question, answer]) => {
    const size = Buffer.byteLength(JSON.stringify([question, answer]));
    if (bytes + size > maximumAnswersBytes) return false;
    bytes += size;
    return true;
  });
  return {
    answers: Object.fromEntries(shown),
    ...(shown.length < all.length ? { answers_left_out: all.length - shown.length } : {}),
  };
}
