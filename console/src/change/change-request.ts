import type { ReactNode } from "react";
import type { Committed, Json, Preview, ToolScope } from "../api/tools.ts";

/** A change that a person is about to make: a tool with its arguments, as an agent would call it. */
export type ChangeRequest = {
  tool: string;
  args: Json;
  /** What will happen: "Move Opening keynote". */
  title: string;
  /** The proposed reason, from what the person did; it can be edited. By default the title. */
  reason?: string;
  /** A verb: "Move session". By default "Confirm". */
  confirmLabel?: string;
  danger?: boolean;
  /** Replaces the list of differences where a page can show more than fields, such as a poster. */
  describe?: (preview: Preview) => ReactNode;
  /** Warnings of the page, above those of the preview. */
  warnings?: string[];
  /** The zone of times in the difference; by default the event's, where the preview has it. */
  zone?: string;
  /** The organization of the page's path by default, and the platform below /admin. */
  scope?: ToolScope;
  /** What the toast says afterwards: "Session moved". */
  done?: string;
  /** What Undo in the toast does: by default it reverts the change, where that is possible. Null for no Undo. */
  undo?: UndoRequest | null | ((preview: Preview) => UndoRequest | null);
  onDone?: (result: Committed) => void | Promise<void>;
};

export type UndoRequest = Pick<ChangeRequest, "tool" | "args">;
