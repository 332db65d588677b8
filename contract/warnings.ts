/** What a preview can warn of. Warnings are about what is allowed and probably not intended; they never refuse a change. */
export const warningCodes = {
  outside_event: "a segment begins before the event or ends after it",
  segments_overlap: "two segments take place at the same time",
  speaker_double_booked: "a speaker is in two segments at the same time",
  run_of_show_empty: "a run of show without segments is published",
  over_capacity: "more guests are approved than the event has seats",
  below_approved: "the capacity is lower than the number of approved guests",
  in_the_past: "a time is in the past",
  unusual_duration: "the end is far from the start",
  duration_changed: "only the start of an event moves, so that it gets longer or shorter",
  duplicate: "something of the same name exists already",
  poster_stale: "a published poster shows what is no longer so",
  poster_was_posted: "a poster that was posted is unpublished",
  cannot_take_back: "the caller cannot undo this change",
  unusable_image: "posters cannot use this photo or logo",
  keys_revoked: "API keys stop working",
  apps_disconnected: "connected apps stop working",
  invitations_withdrawn: "open invitations by a person end with the person's right to invite",
  offers_withdrawn: "open offers of events by a person end with the person's right to offer them",
  door_links_end: "door links for volunteers end with the right of the person who made them",
  address_unverified: "rights go to an account whose e-mail address nobody has verified",
  guests_not_told: "an event is cancelled, and its guests are not notified",
  links_stay: "posts about a cancelled event stay on their platforms",
  not_copied: "a copy leaves out what is beyond its limits",
  acts_for_other: "a key acts for another person than before",
} as const;

export type WarningCode = keyof typeof warningCodes;

/** `path` is where in the state, as in `changes`. */
export type Warning = { code: WarningCode; message: string; path?: string };
