import { ApiError, isApiError, messageOf } from "../../../api/api-error.ts";

export type BulkProgress = { done: number; total: number; refused: number };

export type BulkOutcome =
  | { kind: "finished" }
  | { kind: "stopped" }
  /** `rest` are the guests who were not changed, or not known to be; doing them again changes nobody twice. */
  | { kind: "failed"; message: string; rest: string[] };

type Options = {
  ids: string[];
  size: number;
  /** Changes some guests, all or none. */
  commit: (ids: string[]) => Promise<unknown>;
  onProgress: (progress: BulkProgress) => void;
  isStopped: () => boolean;
  wait?: (ms: number) => Promise<void>;
};

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Changes guests part by part. Those whose state was changed by somebody else meanwhile are left out and counted. */
export async function runBulk({
  ids,
  size,
  commit,
  onProgress,
  isStopped,
  wait = pause,
}: Options): Promise<BulkOutcome> {
  const progress: BulkProgress = { done: 0, total: ids.length, refused: 0 };
  for (let start = 0; start < ids.length; start += size) {
    if (isStopped()) return { kind: "stopped" };
    let part = ids.slice(start, start + size);
    while (part.length > 0) {
      try {
        await commit(part);
        progress.done += part.length;
        break;
      } catch (error) {
        const refused = refusedBy(error, part);
        if (isApiError(error, "rate_limited")) await wait((error.retryAfterSeconds ?? 5) * 1000);
        else if (refused.size > 0) {
          part = part.filter((id) => !refused.has(id));
          progress.refused += refused.size;
        } else return { kind: "failed", message: messageOf(error), rest: [...part, ...ids.slice(start + size)] };
        if (isStopped()) return { kind: "stopped" };
      }
    }
    onProgress({ ...progress });
  }
  return { kind: "finished" };
}

/** The guests of a part whose state does not allow the change any more. */
function refusedBy(error: unknown, part: string[]): Set<string> {
  if (!(error instanceof ApiError) || !["invalid_transition", "not_found"].includes(error.code)) return new Set();
  if (part.length === 1) return new Set(part);
  const { verdicts, unknown_ids: unknown } = (error.details ?? {}) as {
    verdicts?: { id: string; refused: string }[];
    unknown_ids?: string[];
  };
  const refused = (verdicts ?? []).map(({ id }) => id);
  return new Set([...refused, ...(unknown ?? [])].filter((id) => part.includes(id)));
}
