import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * The progress of one poster. `intent` is written before the upload: from then on the post may exist. `posted` holds its
 * URL, `reported` means the service has stored it, `dropped` that the poster no longer exists.
 */
export type Step = { state: "intent" | "dropped" } | { state: "posted" | "reported"; url: string };

export type Journal = {
  find(posterId: string): Step | undefined;
  /** Posters that a previous run left between `intent` and `reported`. */
  unfinished(): { posterId: string; step: Step }[];
  write(posterId: string, step: Step): void;
  close(): void;
};

type Line = { at: string; service: string; platform: string; poster_id: string } & Step;

/** An append-only file of JSON lines. Each line is synced to disk before the agent continues. */
export function openJournal(folder: string, service: string, platform: string): Journal {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "journal.jsonl");
  const file = openSync(path, "a");
  const text = readFileSync(path, "utf8");
  // A crash can leave an incomplete last line. Nothing was done after it, so it is terminated and ignored.
  if (text !== "" && !text.endsWith("\n")) writeSync(file, "\n");
  const steps = new Map<string, Step>();
  for (const line of readLines(text)) {
    if (line.service === service && line.platform === platform) steps.set(line.poster_id, line);
  }
  return {
    find: (posterId) => steps.get(posterId),
    unfinished: () =>
      [...steps]
        .filter(([, { state }]) => state === "intent" || state === "posted")
        .map(([posterId, step]) => ({ posterId, step })),
    write(posterId, step) {
      const line: Line = { at: new Date().toISOString(), service, platform, poster_id: posterId, ...step };
      writeSync(file, `${JSON.stringify(line)}\n`);
      fsyncSync(file);
      steps.set(posterId, step);
    },
    close: () => closeSync(file),
  };
}

function readLines(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}
