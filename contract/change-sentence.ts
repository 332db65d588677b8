import { toolWords } from "./tool-words.js";

/** What a change was about, by the name that it had then. */
export type Subject = { kind: string; id: string | null; name: string };

export type ToldChange = {
  tool: string;
  /** The argument that decides what the tool does: the action of a batch, or whether something is checked in or published. */
  action: string | null;
  /** The first of those that the change was about, and how many there are. */
  about: { subjects: Subject[]; in_all: number };
  /** What it has undone: the tool of that change, and of the first one where that has itself undone one. */
  reverts: { tool: string; origin: string } | null;
  parts: { changed: number } | null;
  changes: { path: string }[];
};

/** "approved", 8 guests, "of" an event, and the names of the first. Without subjects, `verb` says all. */
export type Sentence = {
  verb: string;
  /** "8 guests" or "the speaker"; empty for one guest, whose name is enough. */
  noun: string;
  subjects: Subject[];
  more: number;
};

const numbers = new Intl.NumberFormat("en-GB");

const nouns: Record<string, { one: string; many: string }> = {
  guest: { one: "", many: "guests" },
  speaker: { one: "the speaker", many: "speakers" },
  segment: { one: "the segment", many: "segments" },
  poster: { one: "the poster", many: "posters" },
  key: { one: "the key", many: "keys" },
  door_link: { one: "the door link", many: "door links" },
};

/** What tools did with what they are about. Those without a line are told by their names. */
const verbs: Record<string, string> = {
  approve_event_registration: "approved",
  decline_event_registration: "declined",
  waitlist_event_registration: "waitlisted",
  restore_event_registration: "restored",
  "batch_update_event_registrations approve": "approved",
  "batch_update_event_registrations decline": "declined",
  "batch_update_event_registrations waitlist": "waitlisted",
  "batch_update_event_registrations restore": "restored",
  "batch_update_event_registrations check_in": "checked in",
  "batch_update_event_registrations check_out": "checked out",
  "set_event_registration_check_in true": "checked in",
  "set_event_registration_check_in false": "checked out",
  add_event_guest: "added",
  add_walk_in: "added at the door",
  add_event_speaker: "added",
  update_event_speaker: "changed",
  remove_event_speaker: "removed",
  create_event_segment: "added",
  update_event_segment: "changed",
  remove_event_segment: "removed",
  generate_event_poster_draft: "drew",
  redraw_event_posters: "redrew",
  add_event_poster: "added",
  update_event_poster: "changed",
  remove_event_poster: "removed",
  "set_event_poster_publication true": "published",
  "set_event_poster_publication false": "withdrew",
  create_door_link: "created",
  revoke_door_link: "revoked",
  create_api_key: "created",
  rotate_api_key: "replaced",
  revoke_api_key: "revoked",
};

/** The same of tools whose name and action say all. */
const whole: Record<string, string> = {
  "set_event_run_of_show_publication true": "published the run of show",
  "set_event_run_of_show_publication false": "withdrew the run of show",
};

/** Tools of one thing, of which the fields are told that they changed. */
const fieldTools = new Set(["update_event_details", "update_organization_profile", "update_organization_branding"]);
const toldFields = 3;

/** What a change did, in the past tense, for "Sofia … of Opening Keynote". */
export function sentenceOf(change: ToldChange): Sentence {
  const { reverts, action } = change;
  const tool = reverts?.origin ?? change.tool;
  const undid = reverts === null ? "" : reverts.tool === "revert_change" ? "redid: " : "undid: ";
  const found = lookUp(verbs, tool, action);
  const { subjects } = change.about;
  const inAll = change.parts?.changed ?? change.about.in_all;
  const [first] = subjects;
  if (found !== undefined && first !== undefined) {
    const noun = nouns[first.kind] ?? { one: "", many: "rows" };
    const isOne = inAll === 1;
    return {
      verb: undid + found,
      noun: isOne ? noun.one : `${numbers.format(inAll)} ${noun.many}`,
      subjects,
      more: inAll - subjects.length,
    };
  }
  const told = lookUp(whole, tool, action) ?? fieldsOf(tool, change.changes) ?? inLowerCase(toolWords(tool));
  return { verb: undid + told, noun: "", subjects: [], more: 0 };
}

/** The same as text, without the event: "approved 8 guests: Ana, Ben and 6 more". */
export function sentenceText(sentence: Sentence, event?: string): string {
  const { verb, noun, subjects, more } = sentence;
  const names = subjects.map(({ name }) => name).join(", ") + (more > 0 ? ` and ${numbers.format(more)} more` : "");
  const isOne = subjects.length === 1 && more === 0;
  const of = event === undefined ? "" : ` ${prepositionOf(sentence)} ${event}`;
  const what = [verb, noun].filter((part) => part !== "").join(" ");
  if (subjects.length === 0) return what + of;
  return isOne ? `${what} ${names}${of}` : `${what}${of}: ${names}`;
}

/** What connects the sentence with its event. */
export const prepositionOf = ({ subjects, more }: Sentence): "for" | "of" =>
  subjects.length === 1 && more === 0 ? "for" : "of";

/** "The venue and capacity". */
function fieldsOf(tool: string, changes: { path: string }[]): string | undefined {
  if (!fieldTools.has(tool)) return undefined;
  const names = [...new Set(changes.map(({ path }) => path.split(".").at(-1)?.replaceAll("_", " ") ?? ""))];
  if (names.length === 0 || names.some((name) => !/^[a-z ]+$/.test(name))) return undefined;
  const shown = names.slice(0, toldFields);
  const rest = names.length - shown.length;
  const last = rest > 0 ? `${rest} more` : shown.pop();
  return `changed the ${shown.length === 0 ? last : `${shown.join(", ")} and ${last}`}`;
}

function lookUp(table: Record<string, string>, tool: string, action: string | null): string | undefined {
  const name = [tool, `${tool} ${action}`].find((key) => Object.hasOwn(table, key));
  return name === undefined ? undefined : table[name];
}

/** "Created API key" → "created API key". */
const inLowerCase = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
