import { DifferenceList } from "../../../change/difference-list.tsx";
import type { Change } from "../../../change/use-change.tsx";
import { countOf } from "../../../format/counts.ts";
import { type Move, sameMove, storedMove } from "./layout.ts";
import { segmentDifferences } from "./segment-differences.ts";
import type { RunOfShowState } from "./use-run-of-show.ts";

type Moved = RunOfShowState["unsaved"][number];

/** Saves all moves as one change, with the change dialog. */
export async function saveMoves({ change, state }: { change: Change; state: RunOfShowState }): Promise<void> {
  const { zone, event, unsaved, dispatch } = state;
  const ids = unsaved.map(({ segment }) => segment.id);
  const result = await change.open({
    tool: "update_event_segment",
    args: updateArgs(event.id, unsaved),
    title: nameOf(unsaved, { move: "Move", resize: "Change the length of" }),
    reason: reasonFor(unsaved),
    confirmLabel: unsaved.length === 1 ? "Save segment" : `Save ${countOf(unsaved.length, "segment")}`,
    zone,
    describe: (preview) => <DifferenceList differences={segmentDifferences(preview, zone)} />,
    done: unsaved.length === 1 ? "Segment saved" : `${countOf(unsaved.length, "segment")} saved`,
  });
  if (result !== undefined) dispatch({ type: "saved", ids });
}

function updateArgs(eventId: string, moved: Moved[]) {
  const segments = moved.map(({ segment: { id }, move: { start, minutes } }) => ({
    segment_id: id,
    start_time: new Date(start).toISOString(),
    duration_minutes: minutes,
  }));
  return { event_id: eventId, ...(segments.length === 1 ? segments[0] : { segments }) };
}

function nameOf(moved: Moved[], verbs: { move: string; resize: string }): string {
  const [first] = moved;
  if (first === undefined || moved.length > 1) return `${verbs.move} ${countOf(moved.length, "segment")}`;
  return `${isOnlyResized(first.move, storedMove(first.segment)) ? verbs.resize : verbs.move} ${first.segment.title}`;
}

const isOnlyResized = (move: Move, stored: Move) =>
  stored.minutes !== move.minutes && sameMove({ ...move, minutes: stored.minutes }, stored);

function reasonFor(moved: Moved[]): string {
  const name = nameOf(moved, { move: "Moved", resize: "Changed the length of" });
  return moved.length === 1 ? name : `${name}: ${moved.map(({ segment }) => segment.title).join(", ")}`;
}
