import { randomUUID } from "node:crypto";
import { later, minutesBetween } from "../../../../contract/run-of-show.js";
import { duplicatedEvent } from "../../../../contract/schema/proposals.js";
import type { Warning } from "../../../../contract/warnings.js";
import { refuseTooManyProposals } from "../../../access/proposals.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import {
  type CopiedList,
  type CopySource,
  copiedParts,
  listsOf,
  readCopiedLists,
  readCopySource,
  saveCopiedParts,
} from "../copy-store.js";
import {
  type Draft,
  findDraft,
  getProposalPlace,
  type ProposalPlace,
  saveProposal,
  timesOf,
} from "../proposal-store.js";
import { detailsWarnings, noSurroundings } from "../warnings.js";

type Lists = { speakers: CopiedList; run_of_show: CopiedList; posters: CopiedList };

/** The copy; before the commit there is none, and its lists are empty. */
type DuplicateState = ProposalPlace & { copy: Draft | null } & Lists;

export const duplicateEvent = defineEventMutation({
  name: "duplicate_event",
  title: "Duplicate an event",
  group: "event_management",
  description:
    "Propose a copy of an event, with its speakers, run of show and poster drafts moved to the new start. Guests, posted links, co-hosts and ticketing links are never copied. Your organization hosts the copy.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event, start_time: "2026-12-09T09:30:00+00:00" },
  addition: true,
  event: "host_or_co_host",
  destructive: false,
  input: duplicatedEvent,
  async prepare({ db, event, baseUrl }) {
    return { id: randomUUID(), source: await readCopySource(db, event.id), baseUrl };
  },
  async read({ tx, caller, baseUrl }, { conference_id }, { id, source }): Promise<DuplicateState> {
    const { timezone: _, ...place } = await getProposalPlace(tx, caller, conference_id ?? source.conferenceId);
    const copy = await findDraft(tx, id, baseUrl);
    if (copy === null) await refuseTooManyProposals(tx, caller.organizationId);
    const lists = copy === null ? listsOf({ speakers: [], segments: [], posters: [] }) : await readCopiedLists(tx, id);
    return { ...place, copy, ...lists };
  },
  related: ({ tx, event }) => readCopySource(tx, event.id),
  propose: (current, input, { source, baseUrl }) => ({
    ...current,
    copy: copyOf(source, input, baseUrl),
    ...listsOf(copiedParts(source).copied),
  }),
  // What is copied is what the preview was about.
  basis: (current, _input, source) => ({ current, source }),
  warnings: ({ proposed: { copy }, prepared: { source } }) => [
    ...detailsWarnings({ current: {}, proposed: timesOf(copy), input: timesOf(copy) }, noSurroundings),
    ...leftOutWarnings(source),
  ],
  async store({ tx, caller }, { proposed: { conference, copy }, prepared: { id, source } }) {
    const { tile_image_url, start_time } = source.details;
    const event = copy && { ...copy, tile_image_url };
    await saveProposal(tx, caller.organizationId, { id, conferenceId: conference.id, event });
    await saveCopiedParts(tx, id, source, copy?.start_time ?? start_time);
  },
});

function copyOf({ details }: CopySource, given: { name?: string; start_time: string }, baseUrl: string): Draft {
  const { name, start_time } = given;
  const { start_time: start, end_time: end, tile_image_url: tile } = details;
  return {
    ...details,
    id: null,
    name: name ?? details.name,
    start_time,
    end_time: later(start_time, minutesBetween(start, end)),
    luma_url: null,
    // Images of the service are stored as paths.
    tile_image_url: tile?.startsWith("/") ? baseUrl + tile : tile,
    status: "draft",
  };
}

function leftOutWarnings(source: CopySource): Warning[] {
  const { copied, left } = copiedParts(source);
  return (["speakers", "segments", "posters"] as const)
    .filter((list) => left[list] > 0)
    .map((list) => {
      const one = left[list] === 1;
      const subject = one ? `1 ${list.slice(0, -1)} was` : `${left[list]} ${list} were`;
      const message = `${subject} left out: a copy has at most ${copied[list].length}. Add ${one ? "it" : "them"} yourself`;
      return { code: "not_copied", message };
    });
}
