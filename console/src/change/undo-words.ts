import { shortReason } from "./reason.ts";

/** Undoing what has undone a change makes the change again, and is called so: quotes are not nested. */
const opposites: Record<string, string> = { Undo: "Redo", Redo: "Undo", Undid: "Redid", Redid: "Undid" };

function reversed(verb: "Undo" | "Undid", text: string): string {
  const [before = ""] = /^[A-Z][a-z]+(?= “)/.exec(text) ?? [];
  const opposite = opposites[before];
  return opposite === undefined ? `${verb} “${text}”` : opposite + text.slice(before.length);
}

/** The title of what undoes a change with this title. */
export const undoTitle = (title: string): string => reversed("Undo", title);

/** The reason of what undoes a change with this reason. */
export const undoReason = (reason: string): string => shortReason(reversed("Undid", reason));
