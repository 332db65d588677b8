import { isValidElement, type ReactNode } from "react";
import { expect, it } from "vitest";
import { highlight } from "./highlight.tsx";

const textOf = (node: ReactNode): string =>
  Array.isArray(node)
    ? node.map(textOf).join("")
    : isValidElement<{ children: ReactNode }>(node)
      ? textOf(node.props.children)
      : String(node);
const coloured = (node: ReactNode) => (Array.isArray(node) ? node.filter(isValidElement).map(textOf) : []);

it("colours the parts of code, and loses none of it", () => {
  const json = '{ "a": "b: c", "n": 1.5, "t": true }\n';
  expect(textOf(highlight(json, "json"))).toBe(json);
  expect(coloured(highlight(json, "json"))).toEqual(['"a"', '"b: c"', '"n"', "1.5", '"t"', "true"]);
  const shell = 'curl -X POST "$SVC_URL/a" b#c # why\n';
  expect(textOf(highlight(shell, "bash"))).toBe(shell);
  expect(coloured(highlight(shell, "bash"))).toEqual(["curl", "-X", '"$SVC_URL/a"', "# why"]);
});

it("leaves unknown languages and very long code as they are", () => {
  expect(highlight('"a"', "text")).toBe('"a"');
  const long = '"a"'.repeat(20_000);
  expect(highlight(long, "json")).toBe(long);
});
