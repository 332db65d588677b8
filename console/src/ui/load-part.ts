import { ApiError, missingPartCode } from "../api/api-error.ts";
import { call } from "../api/client.ts";
import { letGo, unsavedNow } from "../drafts/unsaved.ts";
import { showToast } from "./toast-queue.ts";

const reloadedName = "reloaded-for-part";
/** A second reload within this time would not help either. */
const helpsAgainMs = 60_000;
const longestPauseMs = 15_000;

const reloadPage = () => window.location.reload();

/**
 * Loads a part of the application. One that cannot be loaded is tried again until the connection is back. If the service
 * answers and the part is not there, a new version has other file names: the page is loaded again, and what was entered
 * comes back.
 */
export async function loadPart<Part>(load: () => Promise<Part>, reload = reloadPage): Promise<Part> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load();
    } catch {
      if (attempt === 2) showToast("A part of this page could not be loaded. Trying again…", { tone: "danger" });
      if (attempt >= 2 && (await serviceAnswers())) return await withNewPage(reload);
      await pause(Math.min(500 * 2 ** attempt, longestPauseMs));
    }
  }
}

/** Never resolves when the page goes. */
function withNewPage(reload: () => void): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedName) ?? 0);
  const loses = unsavedNow().some(({ isKept }) => !isKept());
  if (loses || Date.now() - last < helpsAgainMs) {
    const message = "A part of this page could not be loaded. Reload the page";
    throw new ApiError(message, { status: 404, code: missingPartCode });
  }
  sessionStorage.setItem(reloadedName, String(Date.now()));
  letGo(unsavedNow());
  reload();
  return new Promise(() => {});
}

const serviceAnswers = (): Promise<boolean> =>
  call("session", {}, { withoutSession: true }).then(
    () => true,
    () => false,
  );

/** Shorter when the browser says that the connection is back. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      window.removeEventListener("online", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end);
  });
}
