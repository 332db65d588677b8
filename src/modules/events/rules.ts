import { ServiceError } from "../../../contract/errors.js";
import type { EventDetails } from "./store.js";

/** Applies the changes; an event must end after it starts. */
export function changeDetails(current: EventDetails, changes: EventDetails): EventDetails {
  if (Object.keys(changes).length === 0) {
    throw new ServiceError("invalid_input", "Send at least one field to change, such as venue or start_time");
  }
  return requireTimes({ ...current, ...changes });
}

export function requireTimes<Times extends Pick<EventDetails, "start_time" | "end_time">>(event: Times): Times {
  const { start_time: start, end_time: end } = event;
  if (start !== undefined && end !== undefined && Date.parse(end) <= Date.parse(start)) {
    throw new ServiceError(
      "invalid_input",
      `end_time: expected a time after start_time (${start}), not ${end}: to move an event, send both`,
    );
  }
  return event;
}
