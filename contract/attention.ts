/** What decides whether an event needs somebody. */
export type EventFacts = {
  start_time: string;
  end_time: string;
  capacity: number | null;
  run_of_show_published: boolean;
  has_segments: boolean;
  pending: number;
  approved: number;
  waitlisted: number;
  posters: { drafts: number; published: number; unposted: number };
  speakers: { all: number; without_photo: number };
};

/** What lists of events know of them. */
export type ListedFacts = Omit<EventFacts, "speakers">;

type Rule<Facts> = { kind: string; count(facts: Facts): number };

/** How long before an event starts its run of show should be published. */
const runOfShowDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

/** In the order of urgency. `count` is 0 if there is nothing to do. */
const listedRules = [
  { kind: "pending_guests", count: ({ pending }) => pending },
  { kind: "over_capacity", count: ({ approved, capacity }) => Math.max(0, approved - (capacity ?? approved)) },
  {
    kind: "room_for_waitlist",
    count: ({ approved, waitlisted, capacity }) => Math.min(waitlisted, Math.max(0, (capacity ?? approved) - approved)),
  },
  {
    kind: "unpublished_run_of_show",
    count: ({ has_segments, run_of_show_published }) => (has_segments && !run_of_show_published ? 1 : 0),
  },
  { kind: "unposted_posters", count: ({ posters }) => posters.unposted },
  { kind: "draft_posters", count: ({ posters }) => posters.drafts },
] as const satisfies Rule<ListedFacts>[];

/** What only the page of an event shows: in a list of many it would hide the rest. */
const pageRules = [
  { kind: "no_poster", count: ({ posters }) => (posters.drafts + posters.published === 0 ? 1 : 0) },
  { kind: "no_speakers", count: ({ speakers }) => (speakers.all === 0 ? 1 : 0) },
  { kind: "speakers_without_photo", count: ({ speakers }) => speakers.without_photo },
] as const satisfies Rule<EventFacts>[];

type ListedKind = (typeof listedRules)[number]["kind"];
export const listedKinds = listedRules.map(({ kind }) => kind);
export type AttentionKind = ListedKind | (typeof pageRules)[number]["kind"];
type Attention<Kind = AttentionKind> = { kind: Kind; count: number };

/** What an event needs on its own page. Nothing can be prepared for one that is over. */
export function attentionOf(facts: EventFacts, now = Date.now()): Attention[] {
  if (Date.parse(facts.end_time) < now) return [];
  return [...foundBy(listedRules, facts), ...foundBy(pageRules, facts)];
}

/** What an event needs in a list of many: its run of show only when it starts soon. */
export function listedAttentionOf(facts: ListedFacts, now = Date.now()): Attention<ListedKind>[] {
  if (Date.parse(facts.end_time) < now) return [];
  const isSoon = Date.parse(facts.start_time) - now <= runOfShowDays * dayMs;
  return foundBy(listedRules, facts).filter(({ kind }) => isSoon || kind !== "unpublished_run_of_show");
}

function foundBy<Kind extends string, Facts>(
  rules: readonly { kind: Kind; count(facts: Facts): number }[],
  facts: Facts,
): Attention<Kind>[] {
  return rules.map(({ kind, count }) => ({ kind, count: count(facts) })).filter(({ count }) => count > 0);
}
