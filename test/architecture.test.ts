import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** The shape of the code that ARCHITECTURE.md describes, held by reading the imports of every file. */

const root = fileURLToPath(new URL("../", import.meta.url));

/** From the bottom up: a file imports from its own level and from those below. */
const levels = [
  ["platform"],
  ["config.ts", "schema", "poster-render"],
  ["access"],
  ["tools", "route.ts"],
  ["modules"],
  ["http", "mcp", "ticketing", "ticketing-sandbox", "transfer"],
  ["registry.ts"],
  ["api-documents.ts"],
  ["app.ts", "demo", "open-database.ts", "write-docs.ts"],
  ["service.ts"],
  ["cli"],
  ["main.ts"],
];

/** Paths relative to src/, or to the root for files of demo/. */
const files = [...filesIn("src").map((name) => name.slice("src/".length)), ...filesIn("demo")].sort();

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);
}

const placeOf = (file: string) => (file.startsWith("demo/") ? file : `src/${file}`);
const textOf = (file: string) => readFileSync(join(root, placeOf(file)), "utf8");

/** The files that a file imports. */
function importsOf(file: string): string[] {
  const specifiers = [...textOf(file).matchAll(/(?:from|import\(?)\s*"(\.[^"]+)"/g)].map((match) => match[1] ?? "");
  return specifiers
    .filter((specifier) => specifier.endsWith(".js"))
    .map((specifier) => normalize(join(dirname(placeOf(file)), specifier)))
    .map((path) => path.replace(/^src\//, "").replace(/\.js$/, ".ts"));
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));
const top = (file: string) => file.split("/")[0] ?? "";
const levelOf = (file: string) => levels.findIndex((names) => names.includes(top(file)));
const moduleOf = (file: string) => (file.startsWith("modules/") ? file.split("/")[1] : undefined);

/** The first circle in a graph, as the path that closes it. */
function findCircle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle !== undefined) return circle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

describe("imports", () => {
  it("are read at all", () => {
    expect(imports.get("main.ts")).not.toEqual([]);
    expect([...imports.values()].flat().filter((target) => !files.includes(target))).toEqual([]);
  });

  it("come from a known level", () => {
    expect(files.filter((file) => levelOf(file) === -1)).toEqual([]);
  });

  it("point down", () => {
    const up = [...imports].flatMap(([file, targets]) =>
      targets.filter((target) => levelOf(target) > levelOf(file)).map((target) => `${file} imports ${target}`),
    );
    expect(up).toEqual([]);
  });

  it("of another module take its schema, store or rules", () => {
    const reach = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => moduleOf(file) !== undefined && moduleOf(target) !== undefined)
        .filter((target) => moduleOf(target) !== moduleOf(file) && !/\/(schema|store|rules)\.ts$/.test(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(reach).toEqual([]);
  });

  it("go in no circle, between files and between modules", () => {
    expect(findCircle(imports)).toBeUndefined();
    const modules = new Map<string, string[]>();
    for (const [file, targets] of imports) {
      const name = moduleOf(file);
      if (name === undefined) continue;
      const others = targets.map(moduleOf).filter((other) => other !== undefined && other !== name);
      modules.set(name, [...(modules.get(name) ?? []), ...(others as string[])]);
    }
    expect(findCircle(modules)).toBeUndefined();
  });

  it("would be seen in a circle", () => {
    expect(
      findCircle(
        new Map([
          ["a", ["b"]],
          ["b", ["c"]],
          ["c", ["b"]],
        ]),
      ),
    ).toEqual(["b", "c", "b"]);
  });
});

describe("files", () => {
  it("read the environment in config.ts only", () => {
    expect(files.filter((file) => /process\.env|process\[.env.\]/.test(textOf(file)))).toEqual(["config.ts"]);
  });

  it("are at most 300 lines long", () => {
    expect(files.filter((file) => textOf(file).trimEnd().split("\n").length > 300)).toEqual([]);
  });

  it("are named in kebab-case after the one thing in them; tools after their name on the wire", () => {
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
    const badParts = files.filter(
      (file) =>
        !file
          .replace(/\.ts$/, "")
          .split("/")
          .every((part) => kebab.test(part)),
    );
    expect(badParts).toEqual([]);
    expect(files.filter((file) => /(^|\/)(index|utils|types|helpers|misc)\.ts$/.test(file))).toEqual([]);
  });
});
