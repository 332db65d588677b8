import type { Operator } from "../../src/access/caller.js";

/** Whoever runs commands in tests. */
export const testOperator: Operator = { via: { kind: "command_line" }, name: "tester" };
