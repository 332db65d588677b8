import { ApiError, isApiError, messageOf } from "../api/api-error.ts";
import { type Committed, type Preview, responseIsMissing } from "../api/tools.ts";

/** What a job changes one or several of in each part; `count` is what it counts for: one guest, or those of a part to undo. */
export type JobItem = { id: string; count: number };

export type JobProgress = {
  done: number;
  total: number;
  refused: number;
  /** Why the last one was left out. */
  refusal?: string;
  /** There were too many requests: the job goes on by itself. */
  waits: boolean;
};

export type JobOutcome = { kind: "finished" } | { kind: "stopped" } | { kind: "failed"; message: string };

type Options = {
  items: JobItem[];
  /** How many one commit changes, all or none. */
  size: number;
  /** Each commit is a change of its own. */
  separately?: boolean | undefined;
  preview: (ids: string[]) => Promise<Preview>;
  /** Commits a preview as a part of the change whose first part has this record. */
  commit: (preview: Preview, partOf: string | undefined) => Promise<Committed>;
  /** The codes of errors that leave out a part of one item: for more, the service names those that it refuses. */
  refusals?: readonly string[];
  onProgress: (progress: JobProgress) => void;
  wait?: (ms: number, stop: AbortSignal) => Promise<void>;
};

export type Job = {
  /** Goes on where the last run ended, until it is told to stop: after the part that is under way. */
  run: (stop: AbortSignal) => Promise<JobOutcome>;
  /** The records so far. */
  records: () => readonly string[];
};

/** Ends at once when the job is told to stop. */
export function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stop.addEventListener("abort", end);
    if (stop.aborted) end();
  });
}

const refusedAlways = ["invalid_transition", "not_found"];
/** How often a part is previewed again because somebody changed it in between. */
const conflictsInARow = 3;

/** Changes items part by part. Those that somebody else changed meanwhile are left out and counted. */
export function createJob(options: Options): Job {
  const { items, size, onProgress, refusals = refusedAlways, wait = pause } = options;
  const total = items.reduce((sum, { count }) => sum + count, 0);
  const progress: JobProgress = { done: 0, total, refused: 0, waits: false };
  let rest = items;
  let part: JobItem[] = [];
  /** A commit without a response: only the same one can tell whether it happened. */
  let unknown: Preview | undefined;
  const records: string[] = [];
  let conflicts = 0;

  const leaveOut = (ids: Set<string>, message: string) => {
    progress.refused += countIn(part.filter(({ id }) => ids.has(id)));
    progress.refusal = message;
    part = part.filter(({ id }) => !ids.has(id));
  };
  const afterError = async (error: unknown, stop: AbortSignal): Promise<JobOutcome | undefined> => {
    if (isApiError(error, "rate_limited")) {
      onProgress({ ...progress, waits: true });
      await wait((error.retryAfterSeconds ?? 5) * 1000, stop);
      onProgress({ ...progress });
      return undefined;
    }
    conflicts = isApiError(error, "version_conflict") ? conflicts + 1 : 0;
    if (conflicts > 0 && conflicts < conflictsInARow) return undefined;
    const refused = refusedBy(
      error,
      part.map(({ id }) => id),
      refusals,
    );
    if (refused.size === 0) return { kind: "failed", message: messageOf(error) };
    leaveOut(refused, messageOf(error));
    return undefined;
  };
  const commitPart = async () => {
    const preview = unknown ?? (await options.preview(part.map(({ id }) => id)));
    try {
      const { record_id } = await options.commit(preview, options.separately ? undefined : records[0]);
      unknown = undefined;
      conflicts = 0;
      if (record_id !== undefined) records.push(record_id);
    } catch (error) {
      unknown = responseIsMissing(error) || isApiError(error, "rate_limited") ? preview : undefined;
      throw error;
    }
    progress.done += countIn(part);
    part = [];
  };

  const run = async (stop: AbortSignal): Promise<JobOutcome> => {
    for (;;) {
      if (part.length === 0) {
        part = rest.slice(0, size);
        rest = rest.slice(size);
      }
      if (part.length === 0) return { kind: "finished" };
      if (stop.aborted) return { kind: "stopped" };
      try {
        await commitPart();
      } catch (error) {
        const outcome = await afterError(error, stop);
        if (outcome !== undefined) return outcome;
      }
      if (part.length === 0) onProgress({ ...progress });
    }
  };
  return { run, records: () => records };
}

const countIn = (items: JobItem[]): number => items.reduce((sum, { count }) => sum + count, 0);

/** The items of a part whose state does not allow the change any more. */
function refusedBy(error: unknown, part: string[], refusals: readonly string[]): Set<string> {
  if (!(error instanceof ApiError)) return new Set();
  if (part.length === 1) return new Set(refusals.includes(error.code) ? part : []);
  if (!refusedAlways.includes(error.code)) return new Set();
  const { verdicts, unknown_ids: unknown } = (error.details ?? {}) as {
    verdicts?: { id: string; refused: string }[];
    unknown_ids?: string[];
  };
  const refused = (verdicts ?? []).map(({ id }) => id);
  return new Set([...refused, ...(unknown ?? [])].filter((id) => part.includes(id)));
}
