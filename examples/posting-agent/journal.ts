import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/**
 * What became of one poster. `intent` is written before the upload: from then on the post may exist. `posted` holds its
 * address, `reported` says that the service has it, `dropped` that the service no longer wants it.
 */
export type Step = { state: "intent" | "dropped" } | { state: "posted" | "reported"; url: string };

export type Journal = {
  find(posterId: string): Step | undefined;
  /** Posters that an earlier run left between the intent and the report. */
  unfinished(): { posterId: string; step: Step }[];
  write(posterId: string, step: Step): void;
  close(): void;
};

type Line = { at: string; service: string; platform: string; poster_id: string } & Step;

/** An append-only file of JSON lines. Each line is on the disk before the agent goes on. */
export function openJournal(folder: string, service: string, platform: string): Journal {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "journal.jsonl");
  const file = openSync(path, "a");
  const text = readFileSync(path, "utf8");
  // A crash can leave half a line at the end. What it would have said was not acted upon: it is closed off and ignored.
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
