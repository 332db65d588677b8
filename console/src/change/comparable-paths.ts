import type { Change } from "../../../contract/changes.ts";
import type { Json, ToolScope } from "../api/tools.ts";

/**
 * Where changes differ, with what they are changes of. Rows of lists have their ids in the path, whichever tool changes them.
 * Any other path is of what the ids in the arguments name, except those that are set themselves; lists of ids are values too,
 * such as an order.
 */
export function comparablePaths(scope: ToolScope, args: Json, changes: Pick<Change, "path">[]): string[] {
  const paths = changes.map(({ path }) => path);
  const names = Object.keys(args).filter((name) => name.endsWith("_id") && !paths.includes(name));
  const subject = names.sort().map((name) => args[name]);
  return paths.map((path) => (path.includes("[") ? path : JSON.stringify([scope, subject, path])));
}
