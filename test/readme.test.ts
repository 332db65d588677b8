import { readdirSync } from "node:fs";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram } from "../src/cli/program.js";
import { loadConfig } from "../src/config.js";
import { variableNames } from "../src/environment.js";
import { blocksOf, readPage } from "./support/doc-blocks.js";

/** The commands and variables of the documentation are those of the code. */

const program = await createProgram();

it("docs/command-line.md lists every command", () => {
  const listed = [...readPage("docs/command-line.md").matchAll(/^\| `svc .*/gm)].flatMap(([row]) => [
    ...row.matchAll(/`svc ([a-z-]+)/g),
  ]);
  const names = program.commands.map((command) => command.name());
  expect(new Set(listed.map((match) => match[1]))).toEqual(new Set(names));
});

it("docs/configuration.md lists every variable, and the default limits", () => {
  const page = readPage("docs/configuration.md");
  const listed = [...page.matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell]) => cell?.replaceAll("`", "").split(", "));
  // Set by sudo, not by an operator.
  expect(new Set([...listed, "SUDO_USER"])).toEqual(new Set(variableNames));
  const { rest, ticketing, mcp } = loadConfig({}).limits;
  expect(page).toContain(`| ${rest}, ${ticketing}, ${mcp} | requests per minute`);
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
