import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { createStatementNames, workOf } from "./statement-names.js";

describe("the name of a statement", () => {
  const byId = (id: string) => sql`select 1 where 'a' = ${id}`;

  it("depends on what it does and on its text, not on its values", () => {
    const nameOf = createStatementNames(10);
    const name = nameOf("get row", byId("x"));
    expect(name).toMatch(/^get row #[0-9a-f]{24}$/);
    // PostgreSQL cuts names after 63 bytes.
    expect(nameOf("whether a conference is visible", byId("x"))?.length).toBeLessThan(64);
    expect(nameOf("get row", byId("y"))).toBe(name);
    expect(nameOf("get other row", byId("x"))).not.toBe(name);
    expect(nameOf("get row", sql`select 2`)).not.toBe(name);
    expect(workOf(name ?? "")).toBe("get row");
  });

  it("is given to a bounded number of texts", () => {
    const nameOf = createStatementNames(2);
    const [first, second] = [nameOf("get row", sql`select 1`), nameOf("get row", sql`select 2`)];
    expect(second).toBeDefined();
    expect(nameOf("get row", sql`select 3`)).toBeUndefined();
    expect(nameOf("get row", sql`select 1`)).toBe(first);
  });
});
