import { expect, it } from "vitest";
import { boundedChanges, briefChanges, fewNamedChanges } from "./bounded-changes.js";

const poster = {
  id: "7d4c8a53-3f4c-4c1e-9a39-0a1f0ce6f0c5",
  title: "Opening night",
  image_url: `https://events.example.com/images/${"a".repeat(64)}.png`,
  metadata: { caption_ideas: ["word ".repeat(100), "word ".repeat(100)], style: "editorial" },
  published: false,
};

it.each([
  ["added", { before: { posters: [] }, after: { posters: [poster] } }, "to"],
  ["removed", { before: { poster }, after: { poster: null } }, "from"],
] as const)("a long row that was %s stays an object with short texts", (_how, states, side) => {
  const few = fewNamedChanges(states);
  for (const [{ changes }, maximum] of [
    [boundedChanges(states), 400],
    [few, 400],
    [briefChanges(few), 80],
  ] as const) {
    expect(changes).toHaveLength(1);
    const row = changes[0]?.[side];
    expect(row).toMatchObject({ id: poster.id });
    expect(JSON.stringify(row).length).toBeLessThan(maximum + 50);
  }
  expect(few.changes[0]?.[side]).toMatchObject({
    id: poster.id,
    title: "Opening night",
    image_url: expect.stringMatching(/^https:.{94}…$/),
    metadata: { style: "editorial" },
    published: false,
  });
  expect(briefChanges(few).changes[0]?.[side]).toEqual({ id: poster.id, title: "Opening night", more_fields: 3 });
});

it("a long list stays a list of its first items", () => {
  const changes = { changes: [{ path: "tags", from: null, to: Array.from({ length: 100 }, (_, n) => n) }], more: 0 };
  const [change] = briefChanges(changes).changes;
  expect(change?.to).toEqual([...Array.from({ length: 45 }, (_, n) => n), "…"]);
});

it("a list whose texts were shortened has all of its items, and one that was shortened twice ends once", () => {
  const changesOf = (to: unknown) => ({ before: { tags: null }, after: { tags: to } });
  const long = "word ".repeat(100);
  expect(boundedChanges(changesOf([long])).changes[0]?.to).toEqual([expect.stringMatching(/^word .*…$/)]);
  const ids = Array.from({ length: 30 }, (_, n) => `${poster.id.slice(0, -2)}${10 + n}`);
  const shown = briefChanges(fewNamedChanges(changesOf([ids[0], long, ...ids]))).changes[0]?.to as string[];
  expect(shown.filter((item) => item === "…")).toHaveLength(1);
  expect(shown.slice(0, -1)).toEqual([ids[0], ...shown.slice(1, -1)]);
  expect(shown[1]).not.toBe(ids[0]);
});
