import { useEffect, useEffectEvent, useReducer } from "react";
import { messageOf } from "../api/api-error.ts";
import { personToRenew } from "../api/renewal.ts";
import { type Committed, commitTool, type Preview, previewTool, type ToolScope } from "../api/tools.ts";
import { questionNow } from "../drafts/unsaved.ts";
import { useDraft } from "../drafts/use-draft.ts";
import { localZone } from "../format/times.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { InlineNotice, Warnings } from "../ui/inline-notice.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import styles from "./change-dialog.module.css";
import { DifferencesOf } from "./change-parts.tsx";
import type { ChangeRequest } from "./change-request.ts";
import { type ChangeState, changeReducer, hasNothingToChange, zoneOf } from "./change-state.ts";
import { asksForReason, reasonDraft, reasonProblem, shortReason } from "./reason.ts";
import { ReasonField } from "./reason-field.tsx";

type Props = {
  request: ChangeRequest;
  scope: ToolScope;
  /** How far the change has come without the dialog. */
  first: ChangeState;
  onClose: (result?: Committed, preview?: Preview) => void;
};

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Shows what a change does before it happens, and commits exactly that. Asks for a reason where it will be wanted. */
export function ChangeDialog({ request, scope, first, onClose }: Props) {
  const [state, dispatch] = useReducer(changeReducer, first);
  const asks = asksForReason(request.tool, request.args, "preview" in state ? state.preview.changes : []);
  const draft = useDraft({
    form: reasonDraft(request.tool, request.title, request.args),
    source: shortReason(request.reason),
    read: (proposed) => ({ reason: proposed }),
  });
  const reason = asks ? draft.values.reason : shortReason(request.reason);
  const problem = reasonProblem(reason);

  useEffect(() => {
    if (state.step !== "previewing") return;
    let current = true;
    previewTool(scope, request.tool, request.args).then(
      (preview) => current && dispatch({ type: "previewed", preview }),
      (error: unknown) => current && dispatch({ type: "previewFailed", error }),
    );
    return () => {
      current = false;
    };
  }, [state.step, scope, request]);

  const commit = async () => {
    if (
      (state.step !== "ready" && state.step !== "unknown") ||
      problem !== undefined ||
      hasNothingToChange(state.preview)
    )
      return;
    const { preview } = state;
    dispatch({ type: "commit" });
    try {
      const result = await commitTool(scope, request.tool, preview, reason);
      draft.saved();
      onClose(result, preview);
    } catch (error) {
      dispatch({ type: "commitFailed", error });
    }
  };
  const close = draft.closing(() => onClose());
  useConfirmShortcut(() => void commit());
  const isCommitting = state.step === "committing";
  return (
    <Dialog
      isOpen
      title={request.title}
      size={request.size ?? "medium"}
      // Closing while a commit is under way would hide whether it happened.
      locked={isCommitting || state.step === "unknown"}
      onClose={close}
      footer={
        <Footer
          state={state}
          request={request}
          canCommit={problem === undefined}
          onCommit={() => void commit()}
          onPreview={() => dispatch({ type: "preview" })}
          onClose={close}
        />
      }
    >
      <div className="column gap-5">
        <Content state={state} request={request} onPreview={() => dispatch({ type: "preview" })} />
        {asks && "preview" in state && state.step !== "conflict" && !hasNothingToChange(state.preview) && (
          <ReasonField
            {...draft.bind("reason")}
            error={problem}
            isReadOnly={isCommitting || state.step === "unknown"}
          />
        )}
      </div>
    </Dialog>
  );
}

/** Whether another dialog is above this one. */
const isCovered = (): boolean => personToRenew() !== undefined || questionNow() !== undefined;

/** ⌘ or Ctrl with Enter confirms, wherever the focus is in the dialog. */
function useConfirmShortcut(confirm: () => void): void {
  const onConfirm = useEffectEvent(confirm);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.repeat || isCovered()) return;
      event.preventDefault();
      event.stopPropagation();
      onConfirm();
    };
    // Before the focused button gets it, which would press it too.
    window.addEventListener("keydown", onKey, { capture: true });
    return () => window.removeEventListener("keydown", onKey, { capture: true });
  }, []);
}

function Content({ state, request, onPreview }: { state: ChangeState; request: ChangeRequest; onPreview: () => void }) {
  if (state.step === "done") return null;
  if (state.step === "previewing") return <PreviewSkeleton />;
  if (state.step === "unavailable") {
    return <ErrorState error={state.error} onRetry={onPreview} title="This change is not possible" />;
  }
  const { preview } = state;
  const zone = request.zone ?? zoneOf(preview) ?? localZone();
  if (state.step === "conflict") {
    return (
      <>
        <ConflictNotice isOwn={state.isOwn} />
        <DifferencesOf
          title={state.isOwn ? "Your change before" : "Changed by somebody else"}
          changes={state.theirs}
          from={preview.current}
          to={state.current}
          zone={zone}
        />
        <DifferencesOf
          title="Your change"
          changes={preview.changes}
          from={preview.current}
          to={preview.proposed}
          zone={zone}
        />
      </>
    );
  }
  if (hasNothingToChange(preview)) {
    return <InlineNotice title="Nothing to change">This is how it is already.</InlineNotice>;
  }
  return (
    <>
      <Warnings texts={[...(request.warnings ?? []), ...preview.warnings.map(({ message }) => message)]} />
      {state.step === "unknown" && (
        <InlineNotice tone="danger" title="No response arrived" live>
          The change may have been made. Try again to find out: it is never made twice.
        </InlineNotice>
      )}
      {state.step === "ready" && state.error !== undefined && (
        <InlineNotice tone="danger" title="The change was not made" live>
          {messageOf(state.error)}
        </InlineNotice>
      )}
      {request.describe?.(preview) ?? (
        <DifferencesOf changes={preview.changes} from={preview.current} to={preview.proposed} zone={zone} />
      )}
    </>
  );
}

const ConflictNotice = ({ isOwn }: { isOwn: boolean }) =>
  isOwn ? (
    <InlineNotice tone="warning" title="You changed this in the meantime" live>
      This change was not saved. Look at what you changed before, then continue with this change or drop it.
    </InlineNotice>
  ) : (
    <InlineNotice tone="warning" title="Somebody changed this in the meantime" live>
      Nothing of yours was saved. Look at what they changed, then continue with your change or drop it.
    </InlineNotice>
  );

type FooterProps = {
  state: ChangeState;
  request: ChangeRequest;
  canCommit: boolean;
  onCommit: () => void;
  onPreview: () => void;
  onClose: () => void;
};

function Footer({ state, request, canCommit, onCommit, onPreview, onClose }: FooterProps) {
  if (state.step === "conflict") {
    return (
      <>
        <Button onPress={onClose}>Drop my change</Button>
        <Button kind="primary" onPress={onPreview}>
          Continue with my change
        </Button>
      </>
    );
  }
  const nothing = "preview" in state && hasNothingToChange(state.preview);
  if (state.step === "unavailable" || state.step === "done" || nothing) return <Button onPress={onClose}>Close</Button>;
  const label = state.step === "unknown" ? "Try again" : (request.confirmLabel ?? "Confirm");
  return (
    <>
      <span className={styles.shortcut}>{isApple ? "⌘ Enter" : "Ctrl + Enter"} confirms</span>
      <Button onPress={onClose} isDisabled={state.step === "committing"}>
        {state.step === "unknown" ? "Close without knowing" : (request.cancelLabel ?? "Cancel")}
      </Button>
      <Button
        kind={request.danger ? "danger" : "primary"}
        isPending={state.step === "committing"}
        isDisabled={state.step === "previewing" || !canCommit}
        onPress={onCommit}
      >
        {label}
      </Button>
    </>
  );
}

function PreviewSkeleton() {
  return (
    <div className="column gap-2">
      <Skeleton height="44px" label="Working out what changes" />
      <Skeleton height="44px" />
      <Skeleton height="96px" />
    </div>
  );
}
