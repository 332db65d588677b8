import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { consoleTools, platformTools, tools } from "../src/registry.js";

/** Enforces the structure that ARCHITECTURE.md describes, from the imports and the text of every file. */

const root = fileURLToPath(new URL("../", import.meta.url));

/** From the bottom up: a file imports from its own level and from those below. ARCHITECTURE.md shows the same levels. */
const levels = [
  ["contract"],
  ["infra"],
  ["config.ts", "environment.ts", "schema", "poster-render"],
  ["access"],
  ["records", "route.ts", "console-route.ts"],
  ["runner"],
  ["revert"],
  ["modules", "sign-in"],
  ["http", "mcp", "oauth", "ticketing", "console", "ticketing-sandbox", "transfer"],
  ["registry.ts"],
  ["api-documents.ts"],
  ["app.ts", "demo", "open-database.ts", "write-docs.ts"],
  ["serve"],
  ["cli"],
  ["main.ts"],
];

/** Paths relative to src/, or to the root for files of contract/ and demo/. */
const files = [
  ...filesIn("src").map((name) => name.slice("src/".length)),
  ...filesIn("contract"),
  ...filesIn("demo"),
].sort();

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`);
}

/** Files of the console whose path and text are such, relative to its folder. */
const pagesWhere = (isMeant: (text: string, file: string) => boolean) =>
  readdirSync(join(root, "console/src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && isMeant(readFileSync(join(root, "console/src", file), "utf8"), file))
    .sort();

const placeOf = (file: string) => (/^(contract|demo)\//.test(file) ? file : `src/${file}`);
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

/** The first cycle in a graph, as a path that ends where it starts. */
function findCycle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return undefined;
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node]);
      if (cycle !== undefined) return cycle;
    }
    done.add(node);
    return undefined;
  };
  for (const node of graph.keys()) {
    const cycle = visit(node, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

describe("imports", () => {
  it("are parsed", () => {
    expect(imports.get("main.ts")).not.toEqual([]);
    expect([...imports.values()].flat().filter((target) => !files.includes(target))).toEqual([]);
  });

  it("belong to a known level", () => {
    expect(files.filter((file) => levelOf(file) === -1)).toEqual([]);
  });

  it("point down", () => {
    const up = [...imports].flatMap(([file, targets]) =>
      targets.filter((target) => levelOf(target) > levelOf(file)).map((target) => `${file} imports ${target}`),
    );
    expect(up).toEqual([]);
  });

  it("of the contract are pure: nothing of Node, and no package but the one for schemas", () => {
    const packages = filesIn("contract").flatMap((file) =>
      [...textOf(file).matchAll(/from "([^".][^"]*)"/g)].map((match) => match[1]),
    );
    expect(packages.filter((name) => name !== "zod")).toEqual([]);
  });

  it("of the console take nothing of the service but the contract", () => {
    const taken = ["console/src", "console/plugins"].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => /\.tsx?$/.test(name))
        .filter((name) => /from "(\.\.\/)+(src|demo|test)\//.test(readFileSync(join(root, folder, name), "utf8"))),
    );
    expect(taken).toEqual([]);
  });

  it("of schemas by the console are of types only, so that browsers do not load the package for them", () => {
    const loaded = readdirSync(join(root, "console/src"), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => {
        const text = readFileSync(join(root, "console/src", name), "utf8");
        const statements = text.match(
          /(^(import|export) (?!type )[^;]*|import\()"(\.\.\/)+contract\/(schema|console)\/[^"]*"/gm,
        );
        return (statements ?? []).filter((statement) => !statement.includes("/console/paths.ts"));
      });
    const shared = filesIn("contract").filter((file) => dirname(file) === "contract");
    const withSchemas = shared.filter((file) =>
      /^import (?!type )[^;]*"(zod|\.\/(schema|console)\/[^"]*)"/m.test(textOf(file)),
    );
    expect([...loaded, ...withSchemas]).toEqual([]);
  });

  it("of addresses: the console knows its requests from the contract only", () => {
    expect(pagesWhere((text, file) => text.includes("/api/console") && !file.endsWith(".test.ts"))).toEqual([]);
  });

  it("never cross between endpoints", () => {
    const endpoints = ["http", "mcp", "oauth", "ticketing", "console"];
    const crossing = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => endpoints.includes(top(file)) && endpoints.includes(top(target)))
        .filter((target) => top(target) !== top(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(crossing).toEqual([]);
  });

  it("of another module use its schema, stores, rules or warnings only", () => {
    const reach = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => moduleOf(file) !== undefined && moduleOf(target) !== undefined)
        .filter(
          (target) =>
            moduleOf(target) !== moduleOf(file) &&
            !/\/(schema|store|rules|warnings)\.ts$/.test(target) &&
            // What pages of the console read is spread over the modules.
            !(["admin", "dashboard"].includes(moduleOf(file) ?? "") && target.endsWith("-store.ts")),
        )
        .map((target) => `${file} imports ${target}`),
    );
    expect(reach).toEqual([]);
  });

  it("have no cycles, between files and between modules", () => {
    expect(findCycle(imports)).toBeUndefined();
    const modules = new Map<string, string[]>();
    for (const [file, targets] of imports) {
      const name = moduleOf(file);
      if (name === undefined) continue;
      const others = targets.map(moduleOf).filter((other) => other !== undefined && other !== name);
      modules.set(name, [...(modules.get(name) ?? []), ...(others as string[])]);
    }
    expect(findCycle(modules)).toBeUndefined();
  });

  it("would be reported for a cycle", () => {
    expect(
      findCycle(
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

  it("load packages that small installations may never use on demand", () => {
    const loaded =
      /^import (?!type\b)[^;]*from "(undici|ioredis|nodemailer|rate-limiter-flexible|openid-client|prom-client)"/m;
    const commands = (file: string) => file.startsWith("cli/");
    expect(files.filter((file) => !commands(file) && loaded.test(textOf(file)))).toEqual([]);
  });

  it("are at most 300 lines long", () => {
    expect(files.filter((file) => textOf(file).trimEnd().split("\n").length > 300)).toEqual([]);
  });

  it("are named in kebab-case after the one thing in them", () => {
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

  it("of tools declare every tool once; one that declares a single tool is named after it", () => {
    const toolFiles = files.filter((file) => /^modules\/[^/]+\/(tools|console-tools|admin-tools)(\/|\.ts$)/.test(file));
    const declared = toolFiles.map((file) => ({
      file,
      names: [...textOf(file).matchAll(/^ {2}name: "(\w+)"/gm)].map((match) => match[1]),
    }));
    for (const { file, names } of declared) {
      if (names.length === 1) expect(names, file).toEqual([basename(file, ".ts").replaceAll("-", "_")]);
    }
    const all = [...tools, ...consoleTools, ...platformTools].map(({ name }) => name);
    expect(declared.flatMap(({ names }) => names).sort()).toEqual(all.sort());
  });
});

describe("rules with one author", () => {
  const filesWith = (pattern: RegExp) => files.filter((file) => pattern.test(sqlOf(file)));

  it("visibility: only access/ names the columns and tables that decide it", () => {
    expect(filesWith(/\blisted\b|\bhosted_/).map(top)).toEqual(filesWith(/\blisted\b|\bhosted_/).map(() => "access"));
    // The store of hosts and the import write the rows themselves.
    const hostTable = filesWith(/\bevent_hosts\b/).filter((file) => top(file) !== "access");
    expect(hostTable).toEqual(["modules/events/host-store.ts"]);
    const proposalTable = filesWith(/\bevent_proposals\b/).filter((file) => top(file) !== "access");
    expect(proposalTable).toEqual(["modules/events/proposal-store.ts"]);
  });

  it("keys: only access/ reads the columns that make a key valid", () => {
    expect(filesWith(/\bapi_keys\b[^`]*\b(revoked_at|expires_at)\b/).every((file) => top(file) === "access")).toBe(
      true,
    );
  });

  it("changes: only records/ opens transactions that write, and transfer/", () => {
    const opened = files.filter((file) => /\.transaction\(/.test(textOf(file)) && top(file) !== "infra");
    const writing = opened.filter((file) => {
      const calls = textOf(file).split(".transaction(").slice(1);
      return calls.some((call) => !/mode: "(repeatable read, )?read only"/.test(call));
    });
    // An import stages and plans in temporary tables; a restore also restores the records.
    expect(writing).toEqual(["records/recorded-change.ts", "transfer/import-tables.ts", "transfer/restore-backup.ts"]);
  });

  it("numbers: pages write them in format/counts.ts only", () => {
    expect(pagesWhere((text) => /toLocaleString|NumberFormat/.test(text))).toEqual(["format/counts.ts"]);
  });

  it("typed input: forms have it from useDraft, which keeps it", () => {
    const hasField = /<(TextField|TextArea|NumberField|NewPassword)\b/;
    const typing = pagesWhere((text) => hasField.test(text) && /useState\(/.test(text) && !/useDraft\(/.test(text));
    expect(typing).toEqual([
      // Passwords are never kept, and before somebody has signed in nothing is: whoever comes next would see it.
      "pages/account/password-form.tsx",
      // Requests are tried out there, and nothing is to be stored.
      "pages/docs/run-form.tsx",
      "pages/sign-in/accept-invitation.tsx",
      "pages/sign-in/forgot-password.tsx",
      "pages/sign-in/password-sign-in.tsx",
      "pages/sign-in/reset.tsx",
      "pages/volunteer/open-link.tsx",
      // Its form has the value.
      "ui/picture-editor.tsx",
    ]);
  });

  it("records: only records/ inserts them", () => {
    expect(filesWith(/insert into mutation_records/)).toEqual(["records/recorded-change.ts"]);
  });
});

/** The text of a file's SQL templates: words like "listed" are common outside of them. */
function sqlOf(file: string): string {
  const templates = /(?:sql(?:<[^>]*>)?|queryNamed(?:<[^`]*>)?\([^`]*\))`((?:[^`\\]|\\.)*)`/gs;
  return [...textOf(file).matchAll(templates)].map((match) => match[1]).join("\n");
}
