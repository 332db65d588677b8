import { describe, expect, it } from "vitest";
import { type CpuProfile, type Frame, foldProfile, mergeSmall, placeOf } from "../../bench/support/flame-graph.js";
import { renderFlameGraph } from "../../bench/support/flame-svg.js";

const source = "file:///app/dist/src/http/rest.js";

/** A profile from call stacks with their microseconds, as V8 writes it: nodes of a tree, and one sample per stack. */
function profileOf(stacks: [string[], number][]): CpuProfile {
  const nodes: CpuProfile["nodes"] = [{ id: 0, callFrame: { functionName: "(root)", url: "" }, children: [] }];
  const samples = stacks.map(([names]) => {
    let parent = 0;
    for (const functionName of names) {
      const id = nodes.length;
      nodes.push({ id, callFrame: { functionName, url: functionName.startsWith("(") ? "" : source }, children: [] });
      nodes[parent]?.children?.push(id);
      parent = id;
    }
    return parent;
  });
  return { nodes, samples, timeDeltas: stacks.map(([, micros]) => micros) };
}

const shape = ({ name, micros, self, children }: Frame): unknown => [name, micros, self, children.map(shape)];

describe("folding a profile", () => {
  it("adds up samples with the same callers", () => {
    const root = foldProfile(
      profileOf([
        [["serve", "read"], 30],
        [["serve"], 5],
        [["serve", "read"], 10],
        [["serve", "send"], 20],
      ]),
    );
    expect(shape(root)).toEqual([
      "all",
      65,
      0,
      [
        [
          "serve",
          65,
          5,
          [
            ["read", 40, 40, []],
            ["send", 20, 20, []],
          ],
        ],
      ],
    ]);
  });

  it("leaves out the time in which the process waited, and names what V8 abbreviates", () => {
    const root = foldProfile(
      profileOf([
        [["(idle)"], 1_000],
        [["(program)"], 3],
        [["(garbage collector)"], 2],
        [["serve", ""], 5],
      ]),
    );
    expect(root.micros).toBe(10);
    expect(root.children.map(({ name }) => name)).toEqual(["native code, system calls", "garbage collection", "serve"]);
    expect(root.children[2]?.children[0]?.name).toBe("(anonymous)");
  });

  it("tells the service, packages and Node apart", () => {
    expect(placeOf(source)).toEqual({ file: "src/http/rest.ts", kind: "service" });
    expect(placeOf("file:///app/node_modules/pg/lib/client.js")).toEqual({ file: "pg/lib/client.js", kind: "package" });
    expect(placeOf("node:net")).toEqual({ file: "node:net", kind: "node" });
    expect(placeOf("")).toEqual({ file: "", kind: "engine" });
  });
});

describe("merging small frames", () => {
  it("puts the largest first and joins those below the minimum, if they reach it together", () => {
    const root = foldProfile(
      profileOf([
        [["a"], 4],
        [["b"], 4],
        [["c"], 90],
        [["d", "e"], 20],
        [["d", "f"], 2],
      ]),
    );
    expect(shape(mergeSmall(root, 5))).toEqual([
      "all",
      120,
      0,
      [
        ["c", 90, 90, []],
        ["d", 22, 0, [["e", 20, 20, []]]],
        ["2 others", 8, 8, []],
      ],
    ]);
  });
});

describe("the drawing", () => {
  it("contains every frame of half a percent with its part, and escapes names", () => {
    const root = foldProfile(
      profileOf([
        [["serve", "<anonymous> & more"], 600],
        [["serve", "tiny"], 3],
        [["other"], 397],
      ]),
    );
    const svg = renderFlameGraph(root, "A page", "64 connections");
    expect(svg).toContain("<title>serve (src/http/rest.ts): 60.3 %, itself 0.0 %</title>");
    expect(svg).toContain("<title>&lt;anonymous&gt; &amp; more (src/http/rest.ts): 60.0 %</title>");
    expect(svg).not.toContain("tiny");
    expect(svg.match(/<svg |<\/svg>/g)).toHaveLength(2);
    expect(svg).not.toMatch(/<style|style=|<script/);
  });

  it("stays small, however many frames the profile has", () => {
    const stacks = Array.from({ length: 1_000 }, (_, place): [string[], number] => {
      const path = Array.from({ length: 12 }, (_, depth) => `frame ${place % (2 + depth * 7)} at ${depth}`);
      return [path, 100];
    });
    expect(renderFlameGraph(foldProfile(profileOf(stacks)), "Many", "").length).toBeLessThan(150_000);
  });
});
