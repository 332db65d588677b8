import { expect, it } from "vitest";
import { roleAtLeast, roles } from "../../contract/roles.js";

it("a role includes the roles below it", () => {
  const table = roles.map((role) => roles.filter((wanted) => roleAtLeast(role, wanted)));
  expect(table).toEqual([["member"], ["member", "admin"], ["member", "admin", "owner"]]);
});
