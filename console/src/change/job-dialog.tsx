import { useEffect, useEffectEvent, useRef, useState } from "react";
import { maximumParts } from "../../../contract/change-parts.ts";
import { messageOf } from "../api/api-error.ts";
import { commitTool, previewTool } from "../api/tools.ts";
import { useDraft } from "../drafts/use-draft.ts";
import { countOf, formatCount } from "../format/counts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { InlineNotice, Warnings } from "../ui/inline-notice.tsx";
import { showToast } from "../ui/toast-queue.ts";
import styles from "./job-dialog.module.css";
import { type JobRequest, undoOfParts, undoOfSeveral } from "./job-request.ts";
import { asksForReason, reasonDraft, reasonProblem } from "./reason.ts";
import { ReasonField } from "./reason-field.tsx";
import { createJob, type Job, type JobOutcome, type JobProgress } from "./run-job.ts";
import { undoReason, undoTitle } from "./undo-words.ts";

type Props = {
  request: JobRequest;
  /** Starts another job, which undoes this one. */
  start: (request: JobRequest) => void;
  onClose: () => void;
  onChanged: () => void;
};

type Step = { kind: "confirm" } | { kind: "running"; isStopping?: boolean } | { kind: "over"; outcome: JobOutcome };

/** Changes more than one commit takes: one reason, several commits, and how far they are. */
export function JobDialog({ request, start: startOther, onClose, onChanged }: Props) {
  const { describe, items, size } = request;
  const draft = useDraft({
    form: reasonDraft(request.tool, request.title, request.argsOf([])),
    source: request.reason,
    read: (proposed) => ({ reason: proposed }),
  });
  const { reason } = draft.values;
  const [step, setStep] = useState<Step>({ kind: describe === undefined ? "running" : "confirm" });
  const total = items.reduce((sum, { count }) => sum + count, 0);
  const [progress, setProgress] = useState<JobProgress>({ done: 0, total, refused: 0, waits: false });
  const stop = useRef(new AbortController());
  const job = useRef<Job>(undefined);
  const latest = useRef(progress);
  const problem = reasonProblem(reason);
  const asks = asksForReason(request.tool, request.argsOf([]));
  const steps = Math.ceil(items.length / size);
  const isTooMuch = steps > maximumParts;

  const close = () => {
    onClose();
    const records = job.current?.records() ?? [];
    if (records.length === 0) return;
    offerUndo(request, records, latest.current.done, startOther);
    request.onDone?.();
    onChanged();
  };
  const run = async () => {
    stop.current = new AbortController();
    setStep({ kind: "running" });
    job.current ??= startJob(request, reason, (now) => {
      latest.current = now;
      setProgress(now);
    });
    const outcome = await job.current.run(stop.current.signal);
    if (job.current.records().length > 0) draft.saved();
    if (outcome.kind === "finished" && latest.current.refused === 0) close();
    else setStep({ kind: "over", outcome });
  };
  const start = useEffectEvent(() => void run());
  useEffect(() => {
    if (describe === undefined) start();
  }, [describe]);
  // Without the dialog, nobody could stop it any more.
  useEffect(() => () => stop.current.abort(), []);
  useWarningBeforeUnload(step.kind === "running");
  return (
    <Dialog
      isOpen
      title={request.title}
      locked={step.kind === "running"}
      onClose={draft.closing(close)}
      footer={
        <Footer
          step={step}
          request={request}
          canStart={problem === undefined && !isTooMuch}
          onStart={() => void run()}
          onStop={() => {
            stop.current.abort();
            setStep({ kind: "running", isStopping: true });
          }}
          onClose={draft.closing(close)}
        />
      }
    >
      {step.kind === "confirm" ? (
        <div className="column gap-5">
          <Warnings texts={request.warnings ?? []} />
          {isTooMuch && (
            <InlineNotice tone="danger">
              At most {countOf(maximumParts, "step")} at once, and these are {formatCount(steps)}. Choose fewer.
            </InlineNotice>
          )}
          {describe}
          {steps > 1 && request.separately !== true && (
            <p className="muted">This takes {countOf(steps, "step")}, which are undone as one.</p>
          )}
          {asks && <ReasonField {...draft.bind("reason")} error={problem} />}
        </div>
      ) : (
        <Progress step={step} request={request} progress={progress} />
      )}
    </Dialog>
  );
}

function offerUndo(
  request: JobRequest,
  records: readonly string[],
  done: number,
  start: (request: JobRequest) => void,
): void {
  const { organization, title, reason, separately } = request;
  const [recordId = ""] = records;
  const undo = async () => {
    try {
      start(
        separately === true
          ? undoOfSeveral(request, records)
          : await undoOfParts({ organization, recordId, title: undoTitle(title), reason: undoReason(reason) }),
      );
    } catch (error) {
      showToast(`This could not be undone. ${messageOf(error)}`, { tone: "danger" });
    }
  };
  showToast(request.done(done), { action: { label: "Undo", run: () => void undo() } });
}

function startJob(
  { organization, tool, items, size, separately, argsOf, refusals }: JobRequest,
  reason: string,
  onProgress: (progress: JobProgress) => void,
): Job {
  const scope = { organization };
  return createJob({
    items,
    size,
    separately,
    preview: (ids) => previewTool(scope, tool, argsOf(ids)),
    commit: (preview, partOf) => commitTool(scope, tool, preview, reason, { partOf }),
    ...(refusals === undefined ? {} : { refusals }),
    onProgress,
  });
}

/** What is done so far stays recorded as one change, but the rest would not be done. */
function useWarningBeforeUnload(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isRunning]);
}

function Progress({ step, request, progress }: { step: Step; request: JobRequest; progress: JobProgress }) {
  const { done, total, refused, refusal, waits } = progress;
  return (
    <div className="column gap-3">
      <p role="status" className="large medium">
        {formatCount(done)} of {formatCount(total)} {request.doneWord}
        {step.kind === "running" && step.isStopping && " · Stopping after this step…"}
      </p>
      <progress className={styles.bar} value={done + refused} max={Math.max(total, 1)} aria-label={request.title} />
      {waits && <InlineNotice>Many changes at once: this goes on by itself in a moment.</InlineNotice>}
      {refused > 0 && <InlineNotice tone="warning">{request.leftOut(refused, refusal)}</InlineNotice>}
      {step.kind === "over" && step.outcome.kind === "stopped" && (
        <InlineNotice tone="accent">Stopped. What was done stays done; Continue does the rest.</InlineNotice>
      )}
      {step.kind === "over" && step.outcome.kind === "failed" && (
        <InlineNotice tone="danger" title="This was not completed" live>
          {step.outcome.message}
        </InlineNotice>
      )}
    </div>
  );
}

type FooterProps = {
  step: Step;
  request: JobRequest;
  canStart: boolean;
  onStart: () => void;
  onStop: () => void;
  onClose: () => void;
};

function Footer({ step, request, canStart, onStart, onStop, onClose }: FooterProps) {
  if (step.kind === "running") {
    const isStopping = step.isStopping === true;
    return (
      <Button isPending={isStopping} onPress={onStop}>
        {isStopping ? "Stopping…" : "Stop"}
      </Button>
    );
  }
  if (step.kind === "confirm") {
    return (
      <>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind={request.danger ? "danger" : "primary"} isDisabled={!canStart} onPress={onStart}>
          {request.confirmLabel}
        </Button>
      </>
    );
  }
  return (
    <>
      {step.outcome.kind !== "finished" && <Button onPress={onStart}>Continue</Button>}
      <Button kind="primary" onPress={onClose}>
        Close
      </Button>
    </>
  );
}
