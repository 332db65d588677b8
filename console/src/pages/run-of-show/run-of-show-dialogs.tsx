import { lazy, Suspense, useState } from "react";
import { useOrganization } from "../../api/session.ts";
import { SaveMovesDialog } from "./save-moves-dialog.tsx";
import { warningsFor } from "./save-one.tsx";
import { SegmentDetails } from "./segment-details.tsx";
import { SegmentDialog } from "./segment-dialog.tsx";
import type { NewSegment } from "./segment-form.ts";
import type { RunOfShowState } from "./use-run-of-show.ts";

/** Drag and drop of whole rows is loaded when somebody wants to reorder. */
const ReorderDialog = lazy(() => import("./reorder-dialog.tsx"));

export type Opened =
  | { kind: "segment"; id: string }
  | { kind: "new"; at: NewSegment }
  | { kind: "reorder" }
  | { kind: "save" };

export default function RunOfShowDialogs({
  opened,
  state,
  close,
}: {
  opened: Opened;
  state: RunOfShowState;
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
  if (opened.kind === "save") return <SaveAll state={state} close={close} />;
  if (opened.kind === "new") {
    return <SegmentDialog target={opened.at} {...{ plan, speakers, names }} onClose={close} />;
  }
  const placed = plan.byId.get(opened.id);
  const stored = segments.find(({ id }) => id === opened.id);
  if (placed === undefined || stored === undefined) return null;
  if (!canEdit) return <SegmentDetails segment={placed} {...{ plan, names, zone }} onClose={close} />;
  const moved = unsaved.find(({ segment }) => segment.id === opened.id)?.move;
  return (
    <SegmentDialog
      key={opened.id}
      target={stored}
      {...{ moved, plan, speakers, names }}
      onSaved={(id) => dispatch({ type: "saved", ids: [id] })}
      onClose={close}
    />
  );
}

function SaveAll({ state, close }: { state: RunOfShowState; close: () => void }) {
  const { plan, names, zone, event, unsaved, dispatch } = state;
  const organization = useOrganization();
  // What was saved is no longer unsaved, but stays in the dialog.
  const [changes] = useState(unsaved);
  const [warnings] = useState(() =>
    warningsFor(
      plan,
      changes.map(({ segment }) => segment.id),
      names,
    ),
  );
  return (
    <SaveMovesDialog
      organizationId={organization.id}
      eventId={event.id}
      zone={zone}
      changes={changes}
      warnings={warnings}
      onSaved={(ids) => dispatch({ type: "saved", ids })}
      onClose={close}
    />
  );
}
