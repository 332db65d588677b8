/** The change before and the paths that it has changed, while changes are under way. */
let last: Promise<readonly string[]> | undefined;

/**
 * Makes a change once the one before is made: previewed beside it, it would conflict with it. `work` gets the paths that were
 * changed while it waited, of which its request cannot know.
 */
export function inTurn<Result>(
  work: (changed: readonly string[]) => Promise<Result>,
  pathsOf: (result: Result) => readonly string[],
): Promise<Result> {
  const before = last ?? Promise.resolve([]);
  const turn = before.then(work);
  const changed = before.then((earlier) =>
    turn.then(
      (result) => [...earlier, ...pathsOf(result)],
      () => earlier,
    ),
  );
  last = changed;
  void changed.then(() => {
    if (last === changed) last = undefined;
  });
  return turn;
}
