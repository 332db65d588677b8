import { useState } from "react";
import type { DashboardEvent } from "../../../../contract/console/organization.ts";
import { countOf, formatCount } from "../../format/counts.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import selectionBar from "../event/guests/selection-bar.module.css";
import { PublishDialog } from "./publish-dialog.tsx";
import { maximumPublished } from "./publish-events.ts";

type Props = { organizationId: string; selected: DashboardEvent[]; onClear: () => void };

/** What can be done with the selected events. */
export function PublishBar({ organizationId, selected, onClear }: Props) {
  const [isOpen, setOpen] = useState(false);
  const approved = selected.filter(({ status }) => status === "approved");
  return (
    <section className={selectionBar.bar} aria-label="Selected events">
      <div className="flex wrap centered gap-2">
        <strong role="status">{formatCount(selected.length)} selected</strong>
        <IconButton icon="close" label="Clear the selection" size="small" onPress={onClear} />
      </div>
      <div className={selectionBar.actions}>
        {approved.length === 0 ? (
          <span className={selectionBar.nothing}>All of them are published.</span>
        ) : approved.length > maximumPublished ? (
          <span className={selectionBar.nothing}>Select at most {maximumPublished} events to publish.</span>
        ) : (
          <Button size="small" kind="primary" onPress={() => setOpen(true)}>
            Publish {countOf(approved.length, "event")}
          </Button>
        )}
      </div>
      {isOpen && (
        <PublishDialog
          organizationId={organizationId}
          events={approved}
          onClose={(isDone) => {
            setOpen(false);
            if (isDone) onClear();
          }}
        />
      )}
    </section>
  );
}
