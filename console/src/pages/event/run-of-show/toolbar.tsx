import { useChange } from "../../../change/use-change.tsx";
import { Status } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ChoiceButtons } from "../../../ui/choice-buttons.tsx";
import { classes } from "../../../ui/classes.ts";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Switch } from "../../../ui/switch.tsx";
import type { Zoom } from "./axis.ts";
import { Summary } from "./summary.tsx";
import styles from "./toolbar.module.css";
import type { RunOfShowState } from "./use-run-of-show.ts";
import { type View, zoomOptions } from "./use-view.ts";

type Props = {
  state: RunOfShowState;
  view: View;
  zoom: Zoom;
  following: boolean;
  onView: (view: View) => void;
  onZoom: (zoom: Zoom) => void;
  onFollowing: (following: boolean) => void;
  onGo: (id: string) => void;
  onAdd: () => void;
  onReorder: () => void;
  onPrint: (withNotes: boolean) => void;
};

const viewOptions = [
  { value: "timeline" as const, label: "Timeline", icon: "clock" as const },
  { value: "list" as const, label: "List", icon: "list" as const },
];

export function Toolbar(props: Props) {
  const { state, view, zoom, following } = props;
  const { published, plan, canEdit, unsaved } = state;
  const togglePublication = useTogglePublication(state);
  return (
    <header className={styles.toolbar}>
      <div className={styles.row}>
        <div className={styles.heading}>
          <h2>Run of show</h2>
          <Status tone={published ? "success" : "neutral"}>{published ? "Published" : "Not published"}</Status>
        </div>
        <div className={classes(styles.actions, styles.main)}>
          <Menu trigger={<Button>Print</Button>} label="Print">
            <MenuItem label="For the crew" hint="With notes" onAction={() => props.onPrint(true)} />
            <MenuItem label="For the stage" hint="Without notes" onAction={() => props.onPrint(false)} />
          </Menu>
          {canEdit && (
            <>
              <Button onPress={() => togglePublication()}>{published ? "Unpublish" : "Publish"}</Button>
              <Button kind="primary" icon="plus" onPress={props.onAdd}>
                Add segment
              </Button>
            </>
          )}
        </div>
      </div>
      <Summary plan={plan} onGo={props.onGo} />
      <div className={styles.row}>
        <div className={styles.actions}>
          <ChoiceButtons look="segments" label="View" options={viewOptions} value={view} onChange={props.onView} />
          {view === "timeline" && (
            <ChoiceButtons look="segments" label="Scale" options={zoomOptions} value={zoom} onChange={props.onZoom} />
          )}
        </div>
        {canEdit && (
          <div className={styles.actions}>
            <Switch isSelected={following} onChange={props.onFollowing}>
              Move what follows too
            </Switch>
            <ShiftMenu state={state} />
            <Button size="small" icon="drag" isDisabled={unsaved.length > 0} onPress={props.onReorder}>
              Reorder
            </Button>
          </div>
        )}
      </div>
    </header>
  );
}

/** Minutes by which the whole run of show can be moved. */
const shifts = [5, 15, 30, 60, -5, -15, -30, -60];

function ShiftMenu({ state: { event, zone, unsaved } }: { state: RunOfShowState }) {
  const change = useChange();
  const shift = (minutes: number) => {
    const what = `the whole run of show ${shiftWords(minutes)}`;
    return change.open({
      tool: "update_event_segment",
      args: { event_id: event.id, shift_all_minutes: minutes },
      title: `Move ${what}`,
      reason: `Moved ${what}`,
      zone,
      confirmLabel: "Move run of show",
      done: "Run of show moved",
    });
  };
  return (
    <Menu
      trigger={
        <Button size="small" icon="clock" isDisabled={unsaved.length > 0}>
          Shift all
        </Button>
      }
      label="Shift all"
    >
      {shifts.map((minutes) => (
        <MenuItem key={minutes} label={shiftWords(minutes)} onAction={() => shift(minutes)} />
      ))}
    </Menu>
  );
}

const shiftWords = (minutes: number) => `${Math.abs(minutes)} min ${minutes < 0 ? "earlier" : "later"}`;

function useTogglePublication({ event, published, unsaved }: RunOfShowState) {
  const change = useChange();
  return () =>
    change.open({
      tool: "set_event_run_of_show_publication",
      args: { event_id: event.id, published: !published },
      title: published ? "Unpublish the run of show" : "Publish the run of show",
      reason: `${published ? "Unpublished" : "Published"} the run of show of ${event.name}`,
      confirmLabel: published ? "Unpublish" : "Publish",
      warnings: published || unsaved.length === 0 ? [] : ["What you moved and did not save is not part of this."],
      done: published ? "Run of show unpublished" : "Run of show published",
    });
}
