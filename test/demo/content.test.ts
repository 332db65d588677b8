import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { demoFolder, readDemoContent } from "../../demo/content.js";
import { temporaryFolder } from "../support/temporary-folder.js";

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
  cpSync(new URL("content/", demoFolder), folder, { recursive: true });
});

const read = () => readDemoContent(pathToFileURL(`${folder}/`));

/** Replaces the first occurrence of a text in a file of the copy. */
function edit(file: string, from: string, to: string): void {
  const before = readFileSync(join(folder, file), "utf8");
  expect(before).toContain(from);
  writeFileSync(join(folder, file), before.replace(from, to));
}

test.each([
  [
    "events",
    '"host": "tidewater-labs"',
    '"host": "acme"',
    'opening-keynote: unknown organization "acme", expected an entry of demo/content/organizations.json',
  ],
  [
    "posters",
    '"event": "opening-keynote"',
    '"event": "party"',
    'unknown event "party", expected an entry of demo/content/events.json',
  ],
  [
    "runs-of-show",
    '"speakers": ["margarida-nobre"]',
    '"speakers": ["ahmed-benali"]',
    'opening-keynote: unknown speaker "ahmed-benali", expected a speaker of this event',
  ],
  ["events", '"key": "query-clinic"', '"key": "opening-keynote"', 'duplicate event "opening-keynote"'],
  ["events", '"from": "09:30"', '"from": "9:30"', "[0].from: expected a time as in 18:30"],
  ["events", '"capacity": 900', '"seats": 900, "capacity": 900', "[0].seats: unknown field"],
  ["venues", "[", "", "expected valid JSON"],
])("a mistake is reported with its file and its entry: %s.json: %s → %s", (file, from, to, problem) => {
  edit(`${file}.json`, from, to);
  expect(read).toThrow(`demo/content/${file}.json: ${problem}`);
});
