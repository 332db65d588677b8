import type { Preview, Shown } from "./tool-result.ts";

export type Notice = { tone: "info" | "warning" | "danger" | "success"; title: string; text?: string };

/** Where the card is between the call of the tool and the commit. */
export type CardState =
  | { step: "waiting" }
  | { step: "stopped"; notice: Notice; canPreviewAgain: boolean }
  | { step: "ready"; preview: Preview; notice?: Notice; isUnknown?: true }
  | { step: "committing"; preview: Preview }
  | { step: "done"; committed: Shown & { kind: "committed" }; preview?: Preview };

const conflict: Notice = {
  tone: "warning",
  title: "This was changed meanwhile",
  text: "Nothing of yours was saved. Below is what your change does now: check it, then confirm again.",
};

/** Errors after which only a new preview can be committed. */
const needsPreview = new Set(["version_conflict", "idempotency_conflict"]);

/** What follows from the result of the tool that the card belongs to. */
export function stateOfResult(shown: Shown): CardState {
  if (shown.kind === "preview") return { step: "ready", preview: shown.preview };
  if (shown.kind === "committed") return { step: "done", committed: shown };
  if (shown.preview !== undefined) return { step: "ready", preview: shown.preview, notice: conflict };
  const notice: Notice = { tone: "danger", title: "This change is not possible", text: shown.message };
  return { step: "stopped", notice, canPreviewAgain: needsPreview.has(shown.code ?? "") };
}

/** What follows from the result of a commit of this preview. */
export function stateOfCommit(preview: Preview, shown: Shown): CardState {
  if (shown.kind === "committed") return { step: "done", committed: shown, preview };
  if (shown.kind === "preview") return { step: "ready", preview: shown.preview, notice: conflict };
  const { message, code = "", preview: next } = shown;
  if (next !== undefined) return { step: "ready", preview: { ...next, about: preview.about }, notice: conflict };
  const notice: Notice = { tone: "danger", title: "The change was not made", text: message };
  if (needsPreview.has(code)) return { step: "stopped", notice, canPreviewAgain: true };
  return { step: "ready", preview, notice };
}

/** Without a response the commit may have happened. Only the same commit, reason included, can tell. */
export function stateWithoutResponse(preview: Preview, error: unknown): CardState {
  const said = error instanceof Error ? `${error.message.replace(/\.?$/, ".")} ` : "";
  const text = `${said}The change may have been made. Confirm again to find out: it is never made twice.`;
  return { step: "ready", preview, isUnknown: true, notice: { tone: "danger", title: "No response arrived", text } };
}
