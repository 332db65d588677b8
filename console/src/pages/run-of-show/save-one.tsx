import { DifferenceList } from "../../change/difference-list.tsx";
import type { Change } from "../../change/use-change.tsx";
import { type Plan, sameMove, storedMove } from "./layout.ts";
import { updateArgs } from "./saving.ts";
import { segmentDifferences } from "./segment-differences.ts";
import type { RunOfShowState } from "./use-run-of-show.ts";
import { type Names, problemsInWords } from "./words.ts";

const shownWarnings = 5;

/** What is wrong with the moved segments where they are now. */
export function warningsFor(plan: Plan, ids: string[], names: Names): string[] {
  const warnings = ids.flatMap((id) => {
    const title = plan.byId.get(id)?.title ?? "";
    return problemsInWords(plan, id, names).map(({ long }) => `${title}: ${long}.`);
  });
  const more = warnings.length - shownWarnings;
  return more <= 0 ? warnings : [...warnings.slice(0, shownWarnings), `${more} more of these; see the timeline.`];
}

type Options = { change: Change; state: RunOfShowState; changed: RunOfShowState["unsaved"][number] };

/** Saves a single move with the change dialog. */
export async function saveOne({ change, state, changed: { segment, move } }: Options): Promise<void> {
  const { plan, names, zone, event, dispatch } = state;
  const stored = storedMove(segment);
  const isResized = stored.minutes !== move.minutes;
  const verb = isResized && sameMove({ ...move, minutes: stored.minutes }, stored) ? "Change the length of" : "Move";
  const result = await change.open({
    tool: "update_event_segment",
    args: updateArgs(event.id, segment, move),
    title: `${verb} ${segment.title}`,
    reason: `${verb} ${segment.title}`.slice(0, 500),
    confirmLabel: "Save segment",
    warnings: warningsFor(plan, [segment.id], names),
    zone,
    describe: (preview) => <DifferenceList differences={segmentDifferences(preview, names, zone)} />,
    done: "Segment saved",
    undo: { tool: "update_event_segment", args: updateArgs(event.id, segment, stored) },
  });
  if (result !== undefined) dispatch({ type: "saved", ids: [segment.id] });
}
