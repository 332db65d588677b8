/**
 * The tools whose changes may be committed in parts that are undone as one, and the argument that names what a part is
 * about. Everything else is the same in all parts.
 */
export const toolsInParts: Readonly<Record<string, string>> = {
  batch_update_event_registrations: "registration_ids",
  set_event_registration_check_in: "registration_id",
  revert_change: "record_id",
};

/** As many as a change may have, so that one who reads or undoes it has an end. */
export const maximumParts = 500;
