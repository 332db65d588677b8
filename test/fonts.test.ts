import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fontsFolder, fontWeights, readSubsets, subsetFile } from "../src/poster-render/font-catalog.js";

/** fonts/ is generated: these fail when it no longer fits to what opens its files. Run `npm run fonts` then. */

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const folders = readdirSync(fontsFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "twemoji")
  .map(({ name }) => name);

it("has the files that posters and the console open, and no others", () => {
  const ofConsole = [...read("console/src/styles/fonts.css").matchAll(/fonts\/([^/]+\/[^"]+)"/g)].map(
    ([, file]) => file ?? "",
  );
  const ofPosters = Object.entries(fontWeights).flatMap(([family, weights]) =>
    readSubsets(join(fontsFolder, family)).flatMap(({ subset }) =>
      weights.map((weight) => `${family}/${subsetFile(family, subset, weight)}`),
    ),
  );
  const found = folders.flatMap((family) =>
    readdirSync(join(fontsFolder, family))
      .filter((name) => name !== "LICENSE" && name !== "unicode.json")
      .map((name) => `${family}/${name}`),
  );
  expect(found.sort()).toEqual([...ofConsole, ...ofPosters].sort());
});

it("names sources and licences", () => {
  const [, listed = ""] = /\(fonts\/\*\/LICENSE\): (.*?)\./s.exec(read("NOTICE")) ?? [];
  const families = listed.split(/,\s+/).map((name) => name.toLowerCase().replaceAll(/\s+/g, "-"));
  expect(families).toEqual([...folders].sort());
  for (const family of folders) {
    expect(read(`fonts/${family}/LICENSE`), family).toContain("SIL Open Font License, Version 1.1");
  }
  expect(read("NOTICE")).toContain("fonts/twemoji/LICENSE");
  for (const folder of [...folders, "twemoji"]) expect(read("fonts/README.md")).toContain(`| \`${folder}\` | @`);
});
