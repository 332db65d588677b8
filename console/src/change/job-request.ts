import type { ReactNode } from "react";
import { call } from "../api/client.ts";
import type { Json } from "../api/tools.ts";
import type { JobItem } from "./run-job.ts";
import { undoReason, undoTitle } from "./undo-words.ts";

/** A change of more rows than one commit takes. Its parts are shown and undone as one change. */
export type JobRequest = {
  organization: string;
  tool: string;
  items: JobItem[];
  /** How many items one commit changes. */
  size: number;
  /** Each commit is a change of its own, in the activity of what it changes. Otherwise they are parts of one. */
  separately?: boolean;
  argsOf: (ids: string[]) => Json;
  /** The codes of errors that leave out a part of one item. */
  refusals?: readonly string[];
  /** What will happen: "Decline 510 guests". */
  title: string;
  confirmLabel: string;
  reason: string;
  /** What is done, after a number: "declined". */
  doneWord: string;
  /** What the message afterwards says. */
  done: (count: number) => string;
  /** Why some were left out. */
  leftOut: (count: number, refusal: string | undefined) => string;
  /** What is shown before it starts; without it, it starts at once. */
  describe?: ReactNode;
  warnings?: string[];
  danger?: boolean;
  onDone?: () => void;
};

/** What undoes changes is itself a change of several rows. */
const undoing = {
  tool: "revert_change",
  size: 1,
  argsOf: ([id]: string[]) => ({ record_id: id }),
  // What was changed since keeps its part from being undone.
  refusals: ["conflict", "invalid_transition", "not_found"],
  confirmLabel: "Undo change",
  doneWord: "undone",
  done: () => "Undone",
  leftOut: (_: number, refusal: string | undefined) => refusal ?? "",
};

/** Undoes changes that were made separately, the last one first. */
export const undoOfSeveral = (
  { organization, title, reason }: JobRequest,
  recordIds: readonly string[],
): JobRequest => ({
  ...undoing,
  organization,
  items: recordIds.toReversed().map((id) => ({ id, count: 1 })),
  separately: true,
  title: undoTitle(title),
  reason: undoReason(reason),
});

type Undo = {
  organization: string;
  recordId: string;
  title: string;
  reason: string;
  confirmLabel?: string;
  describe?: ReactNode;
};

/** Undoes what is still in effect of a change in parts, the last part first. */
export async function undoOfParts({ organization, recordId, ...words }: Undo): Promise<JobRequest> {
  const { items } = await call("changeParts", { organization, record: recordId });
  return {
    ...undoing,
    organization,
    items: items.map(({ id, changed }) => ({ id, count: changed })),
    ...words,
  };
}
