import { expect, it } from "vitest";
import { toolWords } from "./tool-words.js";

it.each([
  ["update_event_details", "Changed event details"],
  ["add_event_cohost", "Added event co-host"],
  ["patch_poster", "Reported where a poster was posted"],
  ["revoke_api_key", "Revoked API key"],
  ["svc:events set-status", "Changed event status"],
  ["svc:users invite", "Invited user"],
  ["svc:keys create", "Created API key"],
  ["svc:erase-person", "Erased personal data"],
  ["reorder_event_speakers", "Reordered event speakers"],
  ["withdraw_invitation", "Withdrew invitation"],
  ["link_event_urls", "Linked event addresses"],
  ["platform:archive_conference", "Archived conference"],
  ["svc:migrate", "Migrate"],
  ["console:update_profile", "Changed profile"],
  ["ticketing:event/guest/update-status", "Ticketing: event guest update status"],
  ["constructor", "Constructor"],
  ["something_new", "Something new"],
])("%s is: %s", (tool, words) => {
  expect(toolWords(tool)).toBe(words);
});
