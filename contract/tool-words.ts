import { capitalized } from "./capitalized.js";

/** What a record's tool did, in plain words: "update_event_details" → "Changed event details". */
export function toolWords(tool: string): string {
  const known = exceptions.get(tool);
  if (known !== undefined) return known;
  const [, family, rest = ""] = /^(ticketing|svc|console|platform):(.*)$/.exec(tool) ?? [undefined, "", tool];
  if (family === "ticketing") return `Ticketing: ${spaced(rest.replaceAll("/", " "))}`;
  const [verb = "", ...nouns] = wordsInOrder(spaced(rest).split(" "), family === "svc");
  const past = verbs.get(verb);
  // Without a verb that is known, the name itself says it best.
  return past === undefined ? capitalized(spaced(rest)) : `${past} ${spelled(nouns)}`.trim();
}

/** A command names the noun first, in the plural: "keys create", "events set-status". */
function wordsInOrder(words: string[], isCommand: boolean): string[] {
  const [noun = "", verb, ...rest] = words;
  if (!isCommand || verb === undefined || !verbs.has(verb)) return words;
  return [verb, noun.replace(/s$/, ""), ...rest];
}

/** Names whose parts do not say it. */
const exceptions = new Map(
  Object.entries({
    patch_poster: "Reported where a poster was posted",
    set_event_poster_links: "Noted where a poster was posted",
    set_event_poster_publication: "Published or withdrew a poster",
    set_event_run_of_show_publication: "Published or withdrew the run of show",
    set_event_registration_check_in: "Checked a guest in or out",
    batch_update_event_registrations: "Decided on several guests",
    add_walk_in: "Added a guest at the door",
    approve_event_registration: "Approved a guest",
    decline_event_registration: "Declined a guest",
    waitlist_event_registration: "Put a guest on the waitlist",
    restore_event_registration: "Restored a guest",
    generate_event_poster_draft: "Drew a poster",
    redraw_event_posters: "Redrew posters",
    add_event_poster: "Added a finished poster",
    update_event_poster: "Changed a poster’s texts or order",
    remove_event_poster: "Removed a poster draft",
    set_event_primary_host: "Changed the host, or offered the event",
    host_offer_received: "Was offered an event",
    host_offer_withdrawn: "Is no longer offered an event",
    create_reset_link: "Made a link for a new password",
    resubmit_event_proposal: "Proposed a returned event again",
    revert_change: "Undid a change",
    "svc:import": "Imported data",
    "svc:erase-person": "Erased personal data",
    "svc:demo load": "Loaded the demo data",
    "svc:keys create": "Created API key",
    "svc:keys revoke": "Revoked API key",
    "svc:users reset-link": "Made a link for a new password",
    "svc:images-prune": "Removed unused images",
    "svc:archive-records": "Archived records",
  }),
);

const verbs = new Map(
  Object.entries({
    add: "Added",
    approve: "Approved",
    cancel: "Cancelled",
    archive: "Archived",
    connect: "Connected",
    create: "Created",
    decline: "Declined",
    disconnect: "Disconnected",
    duplicate: "Duplicated",
    generate: "Made",
    invite: "Invited",
    link: "Linked",
    propose: "Proposed",
    remove: "Removed",
    reorder: "Reordered",
    restore: "Restored",
    return: "Returned",
    revoke: "Revoked",
    rotate: "Rotated",
    set: "Changed",
    update: "Changed",
    withdraw: "Withdrew",
  }),
);

const spellings = new Map(Object.entries({ api: "API", url: "address", urls: "addresses", cohost: "co-host" }));

const spaced = (name: string) => name.replaceAll(/[_-]+/g, " ").trim();
const spelled = (words: string[]) => words.map((word) => spellings.get(word) ?? word).join(" ");

/** The tools of the records that are shown, and the chosen one; others can be found by text. */
export function toolOptions(records: { tool: string }[], chosen: string | undefined) {
  const tools = new Set([...records.map(({ tool }) => tool), ...(chosen === undefined ? [] : [chosen])]);
  const options = [...tools].map((value) => ({ value, label: toolWords(value) }));
  return options.sort((a, b) => a.label.localeCompare(b.label, "en"));
}
