import { describe, expect, it } from "vitest";
import { changedFields, changesBetween } from "../../contract/changes.js";

describe("changesBetween", () => {
  it("returns nothing for equal states, regardless of key order", () => {
    expect(changesBetween({ a: 1, b: { c: [1, 2] } }, { b: { c: [1, 2] }, a: 1 })).toEqual([]);
    expect(changesBetween({ a: null }, {})).toEqual([]);
    expect(changesBetween(null, undefined)).toEqual([]);
  });

  it("identifies each field by its path", () => {
    const from = { name: "A", venue: null, links: { x: "1", y: "2" } };
    const to = { name: "A", venue: "Hall 2", links: { x: "1", z: "3" } };
    expect(changesBetween(from, to)).toEqual([
      { path: "venue", from: null, to: "Hall 2" },
      { path: "links.y", from: "2", to: null },
      { path: "links.z", from: null, to: "3" },
    ]);
  });

  it.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
    "treats a field named %s like any other",
    (name) => {
      const links = JSON.parse(`{"${name}": "https://example.com"}`);
      const change = { path: `links.${name}`, from: null, to: "https://example.com" };
      expect(changesBetween({ links: {} }, { links })).toEqual([change]);
      expect(changesBetween({ links }, { links: {} })).toEqual([{ ...change, from: change.to, to: change.from }]);
      expect(changesBetween({ links }, { links })).toEqual([]);
    },
  );

  it("shows arrays of plain values as a whole", () => {
    expect(changesBetween({ ids: [] }, { ids: ["a"] })).toEqual([{ path: "ids", from: [], to: ["a"] }]);
    expect(changesBetween({ ids: ["a", "b"] }, { ids: ["b", "a"] })).toEqual([
      { path: "ids", from: ["a", "b"], to: ["b", "a"] },
    ]);
  });

  it("shows a value whose type changes as a whole", () => {
    expect(changesBetween({ a: { b: 1 } }, { a: null })).toEqual([{ path: "a", from: { b: 1 }, to: null }]);
    expect(changesBetween({ a: [1] }, { a: { id: 1 } })).toEqual([{ path: "a", from: [1], to: { id: 1 } }]);
    expect(changesBetween(null, { a: 1 })).toEqual([{ path: "", from: null, to: { a: 1 } }]);
  });
});

describe("changesBetween, in arrays of rows", () => {
  const rows = [
    { id: "a", name: "Ada" },
    { id: "b", name: "Bob" },
    { id: "c", name: "Cy" },
  ] as const;
  const [a, b, c] = rows;

  it("matches rows by their id", () => {
    expect(changesBetween({ rows }, { rows: [a, { ...b, name: "Eve" }, c] })).toEqual([
      { path: "rows[b].name", from: "Bob", to: "Eve" },
    ]);
  });

  it("shows added and removed rows, not as a new order", () => {
    const fresh = { id: null, name: "New" };
    expect(changesBetween({ rows }, { rows: [a, c, fresh] })).toEqual([
      { path: "rows[b]", from: b, to: null },
      { path: "rows[new]", from: null, to: fresh },
    ]);
    expect(changesBetween({ rows: [] }, { rows: [a] })).toEqual([{ path: "rows[a]", from: null, to: a }]);
    expect(changesBetween({ rows: [a] }, { rows: [] })).toEqual([{ path: "rows[a]", from: a, to: null }]);
  });

  it("shows each of several new rows", () => {
    const fresh = [
      { id: null, name: "1" },
      { id: null, name: "2" },
    ];
    expect(changesBetween({ rows: [] }, { rows: fresh }).map(({ to }) => to)).toEqual(fresh);
  });

  it("shows a new order by ids, and changes within the rows separately", () => {
    expect(changesBetween({ rows }, { rows: [c, { ...a, name: "Ann" }, b] })).toEqual([
      { path: "rows[a].name", from: "Ada", to: "Ann" },
      { path: "rows", from: ["a", "b", "c"], to: ["c", "a", "b"] },
    ]);
  });

  it("shows a new order among the remaining rows", () => {
    expect(changesBetween({ rows }, { rows: [c, a] })).toEqual([
      { path: "rows[b]", from: b, to: null },
      { path: "rows", from: ["a", "c"], to: ["c", "a"] },
    ]);
  });
});

describe("changedFields", () => {
  it("omits unchanged fields", () => {
    expect(changedFields({ a: 1, b: { x: 1, y: 2 }, c: null }, { a: 2, b: { y: 2, x: 1 }, c: null })).toEqual({ a: 2 });
    expect(changedFields<{ a: string | null }>({ a: "x" }, { a: null })).toEqual({ a: null });
  });
});
