import { ApiError, isApiError, messageOf } from "../../../api/api-error.ts";
import type { Arrival, DoorApi } from "./door-api.ts";
import type { QueueEntry } from "./door-types.ts";

export type SentOutcome =
  | { kind: "done" }
  /** Another device was first. */
  | ({ kind: "duplicate" } & Arrival)
  | { kind: "refused"; message: string }
  /** Undone before anything was sent. */
  | { kind: "dropped" };

type Options = {
  api: Pick<DoorApi, "preview" | "commit" | "readArrival">;
  /** Keeps the version of a commit before it is sent: if no response arrives, the same commit is sent again. */
  saveVersion: (version: string | null) => Promise<void>;
};

const attempts = 5;

/** Sends one entry. Throws what may be different later: no connection, no session, too many requests. */
export async function sendEntry(entry: QueueEntry, { api, saveVersion }: Options): Promise<SentOutcome> {
  let { version } = entry;
  if (version === null && entry.undone) return { kind: "dropped" };
  try {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      if (version === null) {
        const now = await api.preview(entry.guest.id, entry.checkedIn);
        if (now.checkedIn === entry.checkedIn) {
          return entry.checkedIn ? { kind: "duplicate", ...(await arrivalOf(api, entry)) } : { kind: "done" };
        }
        version = now.version;
        await saveVersion(version);
      }
      try {
        await api.commit(entry.guest.id, entry.checkedIn, { key: entry.key, version, reason: entry.reason });
        return { kind: "done" };
      } catch (error) {
        if (!isApiError(error, "version_conflict")) throw error;
        version = null;
        await saveVersion(null);
      }
    }
    return { kind: "refused", message: "Other people keep changing this guest. Try again." };
  } catch (error) {
    if (isForLater(error)) throw error;
    return { kind: "refused", message: messageOf(error) };
  }
}

/** Nothing is wrong with the entry itself. */
export function isForLater(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500;
}

async function arrivalOf(api: Options["api"], { guest }: QueueEntry): Promise<Arrival> {
  try {
    return await api.readArrival(guest.id);
  } catch (error) {
    if (isForLater(error)) throw error;
    return { at: null, by: null };
  }
}
