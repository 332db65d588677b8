import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { buildDemoDocument } from "../demo/build-document.js";
import { readDemoContent } from "../demo/content.js";
import { createProgram } from "../src/cli/program.js";
import { loadConfig, variableNames } from "../src/config.js";
import { tools } from "../src/registry.js";

/** The numbers, commands and variables of README.md are those of the code. */

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
