import { expect, it } from "vitest";
import { subjectsOf } from "./subjects.js";

const [ana, ben] = ["6c1e0c0e-0000-4000-8000-000000000001", "6c1e0c0e-0000-4000-8000-000000000002"];

it("finds the only row that changed", () => {
  const guest = { id: ana, name: "Ana", checked_in: false };
  expect(subjectsOf({ registration: guest }, { registration: { ...guest, checked_in: true } })).toEqual({
    subjects: [{ kind: "guest", id: ana, name: "Ana" }],
    in_all: 1,
  });
});

it("counts a row once that a state has alone and in its list", () => {
  const poster = { id: ana, title: "Keynote" };
  const after = { poster, posters: [poster] };
  expect(subjectsOf({ poster: null, posters: [] }, after)).toEqual({
    subjects: [{ kind: "poster", id: ana, name: "Keynote" }],
    in_all: 1,
  });
});

it("leaves out the rows of a list that stay", () => {
  const before = { speakers: [{ id: ana, name: "Ana" }] };
  const after = { speakers: [...before.speakers, { id: ben, name: "Ben" }] };
  const added = { subjects: [{ kind: "speaker", id: ben, name: "Ben" }], in_all: 1 };
  expect(subjectsOf(before, after)).toEqual(added);
  expect(subjectsOf(after, before)).toEqual(added);
});

it("reads rows by id, and names the first five of many", () => {
  const rows = (status: string) =>
    Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [
        `6c1e0c0e-0000-4000-8000-${`${n}`.padStart(12, "0")}`,
        { name: `Guest ${n}`, status },
      ]),
    );
  const { subjects, in_all: all } = subjectsOf({ registrations: rows("pending") }, { registrations: rows("approved") });
  expect(subjects.map(({ name }) => name)).toEqual([0, 1, 2, 3, 4].map((n) => `Guest ${n}`));
  expect(all).toBe(500);
});

it("finds nothing in states of any other form", () => {
  const nothing = { subjects: [], in_all: 0 };
  for (const state of [
    null,
    "text",
    3,
    [],
    { registrations: "2 guests" },
    { registration: null },
    { guest: { id: ana } },
  ]) {
    expect(subjectsOf(null, state)).toEqual(nothing);
  }
});
