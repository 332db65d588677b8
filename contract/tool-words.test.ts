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
  ["svc:keys revoke", "Revoked API key"],
  ["svc:erase-person", "Erased personal data"],
  ["set_event_registration_check_in", "Checked a guest in or out"],
  ["approve_event_registration", "Approved a guest"],
  ["decline_event_registration", "Declined a guest"],
  ["waitlist_event_registration", "Put a guest on the waitlist"],
  ["set_event_primary_host", "Changed the host, or offered the event"],
  ["set_event_poster_publication", "Published or withdrew a poster"],
  ["set_event_run_of_show_publication", "Published or withdrew the run of show"],
  ["remove_event_poster", "Removed a poster draft"],
  ["generate_event_poster_draft", "Drew a poster"],
  ["redraw_event_posters", "Redrew posters"],
  ["connect_app", "Connected app"],
  ["disconnect_app", "Disconnected app"],
  ["revert_change", "Undid a change"],
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
