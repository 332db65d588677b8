import { Suspense } from "react";
import { lazyPart } from "../../../ui/lazy-part.ts";
import { SegmentDetails } from "./segment-details.tsx";
import { SegmentDialog } from "./segment-dialog.tsx";
import type { NewSegment } from "./segment-form.ts";
import type { RunOfShowState } from "./use-run-of-show.ts";

/** Drag and drop of whole rows is loaded when somebody wants to reorder. */
const ReorderDialog = lazyPart(() => import("./reorder-dialog.tsx"), "default");

export type Opened = { kind: "segment"; id: string } | { kind: "new"; at: NewSegment } | { kind: "reorder" };

export default function RunOfShowDialogs({
  opened,
  state,
  onRemove,
  close,
}: {
  opened: Opened;
  state: RunOfShowState;
  onRemove: (id: string) => void;
  close: () => void;
}) {
  const { plan, names, speakers, segments, zone, canEdit, unsaved, dispatch } = state;
  if (opened.kind === "reorder") {
    return (
      <Suspense>
        <ReorderDialog plan={plan} onClose={close} />
      </Suspense>
    );
  }
  if (opened.kind === "new") {
    return <SegmentDialog target={opened.at} plan={plan} speakers={speakers} names={names} onClose={close} />;
  }
  const placed = plan.byId.get(opened.id);
  const stored = segments.find(({ id }) => id === opened.id);
  if (placed === undefined || stored === undefined) return null;
  if (!canEdit) return <SegmentDetails segment={placed} plan={plan} names={names} zone={zone} onClose={close} />;
  const moved = unsaved.find(({ segment }) => segment.id === opened.id)?.move;
  return (
    <SegmentDialog
      key={opened.id}
      target={stored}
      moved={moved}
      plan={plan}
      speakers={speakers}
      names={names}
      onSaved={(id) => dispatch({ type: "saved", ids: [id] })}
      onRemove={() => onRemove(stored.id)}
      onClose={close}
    />
  );
}
