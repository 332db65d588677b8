import type { Segment } from "../../../../../contract/console/event.ts";
import { DifferenceList } from "../../../change/difference-list.tsx";
import type { Change } from "../../../change/use-change.tsx";
import { segmentDifferences } from "./segment-differences.ts";
import type { RunOfShowState } from "./use-run-of-show.ts";

type Options = {
  change: Change;
  state: RunOfShowState;
  segment: Segment;
  /** Whether what follows moves up. */
  following: boolean;
};

/** Removes a segment with the change dialog; false if the person dropped it. */
export async function removeSegment({ change, state, segment, following }: Options): Promise<boolean> {
  const { event, zone, dispatch } = state;
  const { id } = segment;
  const result = await change.open({
    tool: "remove_event_segment",
    args: { event_id: event.id, segment_ids: [id], shift_following: following },
    title: `Remove ${segment.title}`,
    reason: `Removed ${segment.title} from the run of show`,
    confirmLabel: "Remove segment",
    danger: true,
    zone,
    describe: (preview) => <DifferenceList differences={segmentDifferences(preview, zone)} />,
    done: "Segment removed",
  });
  if (result === undefined) return false;
  dispatch({ type: "saved", ids: [id] });
  return true;
}
