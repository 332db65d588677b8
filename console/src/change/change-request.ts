import type { ReactNode } from "react";
import type { Committed, Json, Preview, ToolScope } from "../api/tools.ts";

/** A change that a person makes: a tool with its arguments, as an agent would call it. */
export type ChangeRequest = {
  tool: string;
  args: Json;
  /** What the dialog is about, where one opens: "Move Opening keynote". */
  title: string;
  /** What was done, as the record says it: "Moved Opening keynote". Where a reason is asked for, it can be edited. */
  reason: string;
  /** A verb: "Move session". By default "Confirm". */
  confirmLabel?: string;
  /** Where "Cancel" could be read as what the change does. */
  cancelLabel?: string;
  danger?: boolean;
  /** Asks before it is made, although it can be undone: what it concerns must be seen first. */
  confirms?: boolean;
  /** Replaces the list of differences where a page can show more than fields, such as a poster. */
  describe?: (preview: Preview) => ReactNode;
  /** Of the dialog, where it shows more than fields. */
  size?: "large";
  /** Warnings of the page, above those of the preview. */
  warnings?: string[];
  /** The zone of times in the difference; by default the event's, where the preview has it. */
  zone?: string;
  /** The organization of the page's path by default, and the platform below /admin. */
  scope?: ToolScope;
  /** What the toast says afterwards: "Session moved". By default the reason. */
  done?: string;
  /** What Undo in the toast does: by default it reverts the change, where that is possible. Null for no Undo. */
  undo?: UndoRequest | null | ((preview: Preview) => UndoRequest | null);
  onDone?: (result: Committed) => void | Promise<void>;
};

export type UndoRequest = Pick<ChangeRequest, "tool" | "args">;
