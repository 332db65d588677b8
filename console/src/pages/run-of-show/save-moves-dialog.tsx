import type { KeyboardEvent } from "react";
import { messageOf } from "../../api/api-error.ts";
import { reasonProblem } from "../../change/change-state.ts";
import { countOf } from "../../format/counts.ts";
import { formatDuration } from "../../format/times.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { TextArea } from "../../ui/text-field.tsx";
import { type Move, minuteMs, storedMove } from "./layout.ts";
import styles from "./save-moves-dialog.module.css";
import { mayHaveHappened, type Row, storedIn, wasChangedMeanwhile } from "./saving.ts";
import { type SaveOptions, useSaveMoves } from "./use-save-moves.ts";
import { clockRange } from "./words.ts";

type Props = SaveOptions & { zone: string; warnings: string[] };

/** The change dialog for several segments: one reason, one after the other, and it stops where one is refused. */
export function SaveMovesDialog({ zone, warnings, ...options }: Props) {
  const { rows, step, failed, reason, setReason, proceed } = useSaveMoves(options);
  const { changes, onClose } = options;
  const problem = reasonProblem(reason);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (problem === undefined) proceed();
  };
  return (
    <Dialog
      isOpen
      size="large"
      title={`Save ${countOf(changes.length, "change")} to the run of show`}
      locked={step === "saving"}
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} isDisabled={step === "saving"}>
            {step === "stopped" ? "Stop here" : step === "impossible" ? "Close" : "Cancel"}
          </Button>
          {step !== "impossible" && (
            <Button
              kind="primary"
              isPending={step === "saving"}
              isDisabled={step === "previewing" || problem !== undefined}
              onPress={proceed}
            >
              {step === "stopped" ? "Continue with the rest" : `Save ${countOf(savable(rows), "segment")}`}
            </Button>
          )}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the button below. */}
      <div className={styles.body} onKeyDown={onKeyDown}>
        {warnings.map((warning) => (
          <InlineNotice key={warning} tone="warning">
            {warning}
          </InlineNotice>
        ))}
        {failed !== undefined && step === "stopped" && (
          <Stopped row={failed} saved={countSaved(rows)} all={rows.length} />
        )}
        <RowList rows={rows} zone={zone} />
        {step === "saving" && (
          <progress
            className={styles.progress}
            max={rows.length}
            value={countSaved(rows)}
            aria-label="Segments saved"
          />
        )}
        <TextArea
          label="Reason"
          description="Recorded with each of these changes."
          value={reason}
          onChange={setReason}
          error={problem}
          rows={2}
          isReadOnly={step === "saving" || step === "stopped"}
        />
      </div>
    </Dialog>
  );
}

const savable = (rows: Row[]) => rows.filter(({ state }) => !["refused", "saved"].includes(state.step)).length;
const countSaved = (rows: Row[]) => rows.filter(({ state }) => state.step === "saved").length;

function Stopped({ row, saved, all }: { row: Row; saved: number; all: number }) {
  if (row.state.step !== "failed") return null;
  const done = `${saved} of ${countOf(all, "segment")} saved. `;
  const what = wasChangedMeanwhile(row)
    ? "Somebody else changed this segment meanwhile. Continue to see how it is now, or stop here."
    : mayHaveHappened(row)
      ? "No response arrived. Continue to find out: nothing is changed twice."
      : messageOf(row.state.error);
  return (
    <InlineNotice tone="danger" title={`Stopped at “${row.segment.title}”`} live>
      {done}
      {what}
    </InlineNotice>
  );
}

const stateWords: Record<Row["state"]["step"], string> = {
  previewing: "Checking",
  refused: "Not possible",
  ready: "Waiting",
  saving: "Saving",
  saved: "Saved",
  failed: "Not saved",
};
const stateIcons: Record<Row["state"]["step"], IconName> = {
  previewing: "clock",
  refused: "x-circle",
  ready: "circle",
  saving: "refresh",
  saved: "check-circle",
  failed: "alert",
};

function RowList({ rows, zone }: { rows: Row[]; zone: string }) {
  return (
    <ul className={styles.rows}>
      {rows.map(({ segment, move, state }) => (
        <li key={segment.id} className={styles.row} data-step={state.step}>
          <span className={styles.title}>
            <bdi>{segment.title}</bdi>
          </span>
          <span className={styles.times}>
            <span className="visually-hidden">from </span>
            <span className={styles.before}>
              {timesOf("preview" in state ? storedIn(state.preview, segment) : storedMove(segment), zone)}
            </span>
            <Icon name="arrow-right" size={14} />
            <span className="visually-hidden">to </span>
            <span>{timesOf(move, zone)}</span>
          </span>
          <span className={styles.state}>
            <Icon name={stateIcons[state.step]} size={14} />
            {stateWords[state.step]}
            {state.step === "refused" && `: ${messageOf(state.error)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

const timesOf = ({ start, minutes }: Move, zone: string): string =>
  `${clockRange({ start, end: start + minutes * minuteMs }, zone)} · ${formatDuration(minutes * minuteMs)}`;
