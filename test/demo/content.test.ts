import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { demoFolder, readDemoContent } from "../../demo/content.js";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-demo-content-"));
  cpSync(new URL("content/", demoFolder), folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = () => readDemoContent(pathToFileURL(`${folder}/`));

/** Replaces the first occurrence of a text in a file of the copy. */
function edit(file: string, from: string, to: string): void {
  const before = readFileSync(join(folder, file), "utf8");
  expect(before).toContain(from);
  writeFileSync(join(folder, file), before.replace(from, to));
}

test("an unchanged copy is read without errors", () => {
  expect(read()).toEqual(readDemoContent());
});

describe("an unknown key is reported with its file, its entry and the file that lacks it", () => {
  test.each([
    [
      "organizations",
      "sofia.almeida@",
      "nobody@",
      'tidewater-labs: unknown user "nobody@tidewater.example.com"',
      "users",
    ],
    [
      "events",
      '"conference": "meridian-lisbon"',
      '"conference": "atlantis"',
      'opening-keynote: unknown conference "atlantis"',
      "conferences",
    ],
    ["events", '"venue": "main-hall"', '"venue": "moon"', 'opening-keynote: unknown venue "moon"', "venues"],
    [
      "events",
      '"host": "tidewater-labs"',
      '"host": "acme"',
      'opening-keynote: unknown organization "acme"',
      "organizations",
    ],
    [
      "events",
      '"co_hosts": ["casa-aberta"]',
      '"co_hosts": ["acme"]',
      'opening-keynote: unknown organization "acme"',
      "organizations",
    ],
    ["events", '"person": "ines-carvalho"', '"person": "nobody"', 'opening-keynote: unknown person "nobody"', "people"],
    ["runs-of-show", '"event": "opening-keynote"', '"event": "party"', 'unknown event "party"', "events"],
    ["posters", '"event": "opening-keynote"', '"event": "party"', 'unknown event "party"', "events"],
    [
      "posters",
      '"posted_on": ["linkedin"',
      '"posted_on": ["pigeon"',
      'opening-keynote: unknown social network "pigeon"',
      "social-networks",
    ],
    ["poster-captions", '"event": "opening-keynote"', '"event": "party"', 'unknown event "party"', "events"],
    ["guest-lists", '"event": "opening-keynote"', '"event": "party"', 'unknown event "party"', "events"],
    [
      "guest-lists",
      '"questions": ["company"',
      '"questions": ["shoe_size"',
      'opening-keynote: unknown question "shoe_size"',
      "guest-answers",
    ],
    [
      "keys",
      '"conference": "meridian-lisbon"',
      '"conference": "atlantis"',
      'Demo posting agent of Meridian Lisbon: unknown conference "atlantis"',
      "conferences",
    ],
    [
      "keys",
      '"organization": "tidewater-labs"',
      '"organization": "acme"',
      'Demo agent of Tidewater Labs: unknown organization "acme"',
      "organizations",
    ],
    [
      "keys",
      "sofia.almeida@",
      "nobody@",
      'Demo agent of Tidewater Labs: unknown user "nobody@tidewater.example.com"',
      "users",
    ],
  ])("%s.json: %s → %s", (file, from, to, problem, target) => {
    edit(`${file}.json`, from, to);
    expect(read).toThrow(`demo/content/${file}.json: ${problem}, expected an entry of demo/content/${target}.json`);
  });

  test("posters.json: an event without captions", () => {
    edit("poster-captions.json", '"event": "opening-keynote"', '"event": "speakers-dinner"');
    expect(read).toThrow(
      'demo/content/posters.json: opening-keynote: unknown event "opening-keynote", expected an entry of demo/content/poster-captions.json',
    );
  });

  test.each([
    ["posters", '"speakers": ["ines-carvalho"]', "opening-keynote"],
    ["runs-of-show", '"speakers": ["margarida-nobre"]', "opening-keynote"],
  ])("%s.json: a person who does not speak at the event", (file, from, event) => {
    edit(`${file}.json`, from, '"speakers": ["ahmed-benali"]');
    expect(read).toThrow(
      `demo/content/${file}.json: ${event}: unknown speaker "ahmed-benali", expected a speaker of this event`,
    );
  });
});

describe("an invalid file is reported with its name", () => {
  test.each([
    [
      "conferences",
      '"slug": "open-commons-montreal"',
      '"slug": "meridian-lisbon"',
      'duplicate conference "meridian-lisbon"',
    ],
    ["events", '"key": "query-clinic"', '"key": "opening-keynote"', 'duplicate event "opening-keynote"'],
    ["people", '"key": "amara-okafor"', '"key": "ahmed-benali"', 'duplicate person "ahmed-benali"'],
    ["events", '"from": "09:30"', '"from": "9:30"', "[0].from: expected a time as in 18:30"],
    ["events", '"capacity": 900', '"seats": 900, "capacity": 900', "[0].seats: unknown field"],
    ["conferences", '"Tuesday"', '"Someday"', "[0].starts_on_weekday: expected one of Sunday, Monday"],
    [
      "posters",
      '"published": true',
      '"published": false',
      "[0].posted_on: expected no social networks for an unpublished poster",
    ],
    [
      "ticketing",
      '"staff_ticket": "Crew"',
      '"staff_ticket": "Staff"',
      "staff_ticket: expected the name of an extra ticket type",
    ],
    ["venues", "[", "", "expected valid JSON"],
  ])("%s.json: %s → %s", (file, from, to, problem) => {
    edit(`${file}.json`, from, to);
    expect(read).toThrow(`demo/content/${file}.json: ${problem}`);
  });
});
