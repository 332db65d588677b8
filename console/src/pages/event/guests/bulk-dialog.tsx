import { useRef, useState } from "react";
import { reasonProblem } from "../../../change/reason.ts";
import { countOf } from "../../../format/counts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { InlineNotice, Warnings } from "../../../ui/inline-notice.tsx";
import { TextArea } from "../../../ui/text-field.tsx";
import styles from "./bulk-dialog.module.css";
import { type BulkPlan, bulkActions, reasonOf, titleOf } from "./bulk-plan.ts";
import { type BulkOutcome, type BulkProgress, runBulk } from "./bulk-run.ts";

type Props = {
  plan: BulkPlan;
  warnings: string[];
  /** How many guests one commit changes. */
  size: number;
  commit: (ids: string[], reason: string) => Promise<unknown>;
  onClose: (changed: boolean) => void;
};

type Step = { kind: "confirm" } | { kind: "running" } | { kind: "over"; outcome: BulkOutcome };

/** Changes more guests than one commit takes: one reason, several commits, and how far they are. */
export function BulkDialog({ plan, warnings, size, commit, onClose }: Props) {
  const [reason, setReason] = useState(reasonOf(plan));
  const [step, setStep] = useState<Step>({ kind: "confirm" });
  const [progress, setProgress] = useState<BulkProgress>({ done: 0, total: plan.ids.length, refused: 0 });
  const stopped = useRef(false);
  const problem = reasonProblem(reason);
  const commits = Math.ceil(plan.ids.length / size);

  const run = async (ids: string[]) => {
    stopped.current = false;
    setStep({ kind: "running" });
    const before = progress;
    const outcome = await runBulk({
      ids,
      size,
      isStopped: () => stopped.current,
      commit: (part) => commit(part, reason),
      onProgress: ({ done, refused }) =>
        setProgress({ ...before, done: before.done + done, refused: before.refused + refused }),
    });
    setStep({ kind: "over", outcome });
  };
  const close = () => onClose(progress.done > 0);
  return (
    <Dialog
      isOpen
      title={titleOf(plan)}
      locked={step.kind === "running"}
      onClose={close}
      footer={
        <Footer
          step={step}
          plan={plan}
          canStart={problem === undefined}
          onStart={() => void run(plan.ids)}
          onStop={() => {
            stopped.current = true;
          }}
          onContinue={(rest) => void run(rest)}
          onClose={close}
        />
      }
    >
      {step.kind === "confirm" ? (
        <>
          <Warnings texts={warnings} />
          <p>
            {countOf(plan.ids.length, "guest")} will be {bulkActions[plan.action].done}, in {countOf(commits, "step")}
            {plan.skipped > 0 ? `; ${countOf(plan.skipped, "other")} of the selection stay as they are.` : "."}
          </p>
          <TextArea
            label="Reason"
            description="Recorded with every one of these changes."
            value={reason}
            onChange={setReason}
            error={problem}
            rows={2}
          />
        </>
      ) : (
        <Progress step={step} plan={plan} progress={progress} />
      )}
    </Dialog>
  );
}

function Progress({ step, plan, progress }: { step: Step; plan: BulkPlan; progress: BulkProgress }) {
  const { done, total, refused } = progress;
  return (
    <div className="column gap-3">
      <p role="status" className="large medium">
        {done} of {total} {bulkActions[plan.action].done}
      </p>
      <progress className={styles.bar} value={done + refused} max={total} aria-label={titleOf(plan)} />
      {refused > 0 && (
        <InlineNotice tone="warning">
          {countOf(refused, "guest")} left out: somebody changed them meanwhile, and this is no longer possible for
          them.
        </InlineNotice>
      )}
      {step.kind === "over" && step.outcome.kind === "stopped" && (
        <InlineNotice tone="accent">Stopped. What was done stays done.</InlineNotice>
      )}
      {step.kind === "over" && step.outcome.kind === "failed" && (
        <InlineNotice tone="danger" title="This did not get to the end" live>
          {step.outcome.message}
        </InlineNotice>
      )}
    </div>
  );
}

type FooterProps = {
  step: Step;
  plan: BulkPlan;
  canStart: boolean;
  onStart: () => void;
  onStop: () => void;
  onContinue: (rest: string[]) => void;
  onClose: () => void;
};

function Footer({ step, plan, canStart, onStart, onStop, onContinue, onClose }: FooterProps) {
  if (step.kind === "running") return <Button onPress={onStop}>Stop</Button>;
  if (step.kind === "confirm") {
    return (
      <>
        <Button onPress={onClose}>Cancel</Button>
        <Button kind={bulkActions[plan.action].danger ? "danger" : "primary"} isDisabled={!canStart} onPress={onStart}>
          {titleOf(plan)}
        </Button>
      </>
    );
  }
  const { outcome } = step;
  return (
    <>
      {outcome.kind === "failed" && <Button onPress={() => onContinue(outcome.rest)}>Continue</Button>}
      <Button kind="primary" onPress={onClose}>
        Close
      </Button>
    </>
  );
}
