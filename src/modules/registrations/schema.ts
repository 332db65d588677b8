import { z } from "zod";
import { email, jsonObject, line, text, timestamp, uuid } from "../../declare/fields.js";

export const registrationStatus = z.enum(["pending", "approved", "waitlisted", "declined"]);

export const registrationRow = z.strictObject({
  id: uuid.optional(),
  event: line(200),
  name: line(200),
  email,
  status: registrationStatus.optional(),
  previous_status: registrationStatus.exclude(["declined"]).nullable().optional(),
  ticket_type: line(200).nullable().optional(),
  answers: jsonObject.optional(),
  source: line(200).nullable().optional(),
  note: text(20_000).nullable().optional(),
  registered_at: timestamp.optional(),
  checked_in_at: timestamp.nullable().optional(),
});
