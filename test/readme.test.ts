import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { buildDemoDocument } from "../demo/build-document.js";
import { readDemoContent } from "../demo/content.js";
import { createProgram } from "../src/cli/program.js";
import { loadConfig } from "../src/config.js";
import { variableNames } from "../src/environment.js";
import { tools } from "../src/registry.js";
import { blocksOf, readPage } from "./support/doc-blocks.js";

/** The numbers, commands and variables of README.md are those of the code; so are commands and scripts of other pages. */

const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");

const program = await createProgram();

describe("README.md", () => {
  it("counts the tools", () => {
    expect(readme).toContain(`with ${tools.length} tools`);
    for (const page of ["overview.md", "changelog.md"]) {
      const text = readFileSync(new URL(`../docs/${page}`, import.meta.url), "utf8");
      expect(text, page).toContain(`${tools.length} tools`);
    }
  });

  it("counts the demo data", () => {
    const document = buildDemoDocument({ baseUrl: "", now: new Date(), content: readDemoContent() });
    const { conferences, events, posters, registrations } = document;
    const counts = `${conferences.length} conferences, ${events.length} events, ${posters.length} posters, ${registrations.length} registrations`;
    expect(readme.replaceAll("\n", " ")).toContain(counts);
  });

  it("lists every command", () => {
    const listed = [...readme.matchAll(/^\| `svc .*/gm)].flatMap(([row]) => [...row.matchAll(/`svc ([a-z-]+)/g)]);
    const names = program.commands.map((command) => command.name());
    expect(new Set(listed.map((match) => match[1]))).toEqual(new Set(names));
  });

  it("lists every variable, and the default limits", () => {
    const table = readme.slice(readme.indexOf("## Configuration"), readme.indexOf("## On PostgreSQL"));
    const listed = [...table.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) => cell?.replaceAll("`", "").split(", "));
    // Set by sudo, not by an operator.
    expect(new Set([...listed, "SUDO_USER"])).toEqual(new Set(variableNames));
    const { rest, ticketing, mcp } = loadConfig({}).limits;
    expect(table).toContain(`| ${rest}, ${ticketing}, ${mcp} | requests per minute`);
  });
});

const pages = [
  ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "examples/README.md", "demo/README.md"],
  ...readdirSync(new URL("../docs/", import.meta.url))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

describe.each(pages)("%s", (page) => {
  it("names commands and options of svc that exist", () => {
    const unknown = commandsIn(page).filter((words) => !exists(words));
    expect(unknown.map((words) => `svc ${words.join(" ")}`)).toEqual([]);
  });

  it("names scripts of npm that exist", () => {
    const { scripts } = JSON.parse(readPage("package.json")) as { scripts: Record<string, string> };
    const named = [...readPage(page).matchAll(/\bnpm (?:run (?:--silent )?([a-z][a-z:-]*)|(start|test)\b)/g)];
    const names = named.map(([, script, short]) => script ?? short ?? "");
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });
});

/** The words after `svc` in blocks and in inline code. */
function commandsIn(page: string): string[][] {
  const inline = [...readPage(page).matchAll(/`((?:\.\/bin\/)?svc [a-z][^`]*)`/g)].map(([, code = ""]) => code);
  const blocks = blocksOf(page).filter(({ language }) => language === "sh");
  const lines = [...inline, ...blocks.flatMap(({ code }) => code.replaceAll("\\\n", " ").split("\n"))];
  return lines.flatMap((line) =>
    [...line.replace(/\s# .*$/, "").matchAll(/(?:^|[\s(/])svc ([a-z][^|&)]*)/g)].map(([, words = ""]) =>
      words.trim().split(/\s+/),
    ),
  );
}

/** Whether the words begin with a command and all that look like options are options of it. */
function exists(words: string[]): boolean {
  let command: Command | undefined = program;
  const rest = [...words];
  while (command !== undefined && command.commands.length > 0) {
    const name = rest.shift();
    command = command.commands.find((each) => each.name() === name);
  }
  if (command === undefined) return false;
  const known = new Set(["--help", ...command.options.flatMap(({ long }) => long ?? [])]);
  return rest.filter((word) => word.startsWith("--")).every((word) => known.has(word.replace(/[^a-z-].*$/, "")));
}
