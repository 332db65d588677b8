import { expect, it } from "vitest";
import type { Status } from "../../../../contract/nouns.ts";
import { conferenceWarnings, eventWarnings } from "./status-warnings.ts";

const statuses: Status[] = ["draft", "approved", "published", "archived"];

it("warns before a conference shows that has nothing to show, and before events are hidden with theirs", () => {
  const of = (events: Partial<Record<Status, number>>) =>
    statuses.map((next) => conferenceWarnings({ draft: 0, approved: 0, published: 0, archived: 0, ...events }, next));
  const empty = ["None of its events is published yet: people will see an empty conference."];
  expect(of({ draft: 3, archived: 2 })).toEqual([[], empty, empty, []]);
  const hides = ["3 events with posters and guests can no longer be seen by anyone else."];
  expect(of({ approved: 1, published: 2, draft: 4 })).toEqual([hides, [], [], hides]);
});

it("warns before an event shows that nobody sees or manages", () => {
  const of = (status: Status, hosts: { id: string; name: string; slug: string; role: "host" }[]) =>
    statuses.map((next) =>
      eventWarnings({ conference: { id: "1", name: "Open Days", slug: "open-days", status }, hosts }, next),
    );
  const hosts = [{ id: "2", name: "Harbour", slug: "harbour", role: "host" as const }];
  const none = ["It has no host: nobody can manage it."];
  const draft = ["Nobody will see it yet: Open Days is a draft."];
  const archived = ["Nobody will see it yet: Open Days is archived."];
  expect(of("draft", hosts)).toEqual([[], draft, draft, []]);
  expect(of("archived", hosts)).toEqual([[], archived, archived, []]);
  expect(of("approved", hosts)).toEqual([[], [], [], []]);
  expect(of("published", [])).toEqual([[], none, none, []]);
});
