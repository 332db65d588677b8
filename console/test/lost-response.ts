import { skipPauses } from "./skipped-pauses.ts";

/** The next commit is carried out, but the page does not get its response. */
export function loseNextCommit(): void {
  skipPauses();
  const connected = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await connected(input, init);
    if (!String(init?.body).includes('"dry_run":false')) return response;
    globalThis.fetch = connected;
    throw new TypeError("fetch failed");
  };
}
