import { expect, it } from "vitest";
import { openJournal, type Step } from "../../examples/posting-agent/journal.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("the journal of a posting agent keeps services and platforms apart in one folder", () => {
  const folder = temporaryFolder();
  const step: Step = { state: "posted", url: "https://one.example/1" };
  const first = openJournal(folder, "https://events.example", "one");
  first.write("poster-1", step);
  first.close();
  const findIn = (service: string, platform: string) => {
    const journal = openJournal(folder, service, platform);
    journal.close();
    return [journal.find("poster-1"), journal.unfinished().length];
  };
  expect(findIn("https://events.example", "one")).toMatchObject([step, 1]);
  expect(findIn("https://events.example", "two")).toEqual([undefined, 0]);
  expect(findIn("https://other.example", "one")).toEqual([undefined, 0]);
});
