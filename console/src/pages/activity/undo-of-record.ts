import { capitalized } from "../../../../contract/capitalized.ts";
import { sentenceOf, sentenceText } from "../../../../contract/change-sentence.ts";
import type { ActivityRecord } from "../../../../contract/console/organization.ts";
import { undoReason, undoTitle } from "../../change/undo-words.ts";
import { formatTime, localZone } from "../../format/times.ts";

/** What undoing a recorded change says on its button, in its dialog, in its notice and in its own record. */
export function undoOfRecord(record: ActivityRecord) {
  const { reverts, tool, at } = record;
  const what = capitalized(sentenceText(sentenceOf({ ...record, reverts: null, tool: reverts?.origin ?? tool })));
  const isAgain = reverts !== null && reverts.tool !== "revert_change";
  const verb = isAgain ? "Redo" : "Undo";
  const twiceIf = (say: (text: string) => string) => (isAgain ? say(say(what)) : say(what));
  return {
    verb,
    title: twiceIf(undoTitle),
    reason: `${twiceIf(undoReason)} of ${formatTime(at, localZone())}`,
    confirmLabel: `${verb} change`,
    done: isAgain ? "Change made again" : "Change undone",
  };
}
