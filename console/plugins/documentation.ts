import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { compileGuide, guides, type ResolveLink } from "./guide.ts";
import { guideEntries, operationEntries, toolEntries } from "./search-entries.ts";

const searchModule = "virtual:docs-search";

/** The documentation: guides from Markdown, and a search index over guides, operations and tools. */
export function documentation(docsFolder: string): Plugin[] {
  const read = (name: string) => readFileSync(join(docsFolder, name), "utf8");
  const tools = () => JSON.parse(read("reference.json")).tools as { name: string; group: string }[];
  const resolveLink = linkResolver(new Map(tools().map(({ name, group }) => [name, group])));
  return [
    guides(resolveLink),
    {
      name: "docs-search",
      resolveId: (id) => (id === searchModule ? `\0${searchModule}` : undefined),
      load(id) {
        if (id !== `\0${searchModule}`) return undefined;
        const pages = readdirSync(docsFolder).filter((name) => name.endsWith(".md") && name !== "tools.md");
        for (const name of [...pages, "openapi.json", "reference.json"]) this.addWatchFile(join(docsFolder, name));
        const entries = [
          ...pages.flatMap((name) => guideEntries(name.replace(".md", ""), compileGuide(read(name), resolveLink))),
          ...operationEntries(JSON.parse(read("openapi.json"))),
          ...toolEntries(JSON.parse(read("reference.json")).tools),
        ];
        return `export default ${JSON.stringify(entries)};`;
      },
    },
  ];
}

/** Pages link to each other by file name, as on GitHub. */
export function linkResolver(groupOfTool: ReadonlyMap<string, string>): ResolveLink {
  return (target) => {
    const [file = "", anchor] = target.split("#");
    const hash = anchor === undefined ? "" : `#${anchor}`;
    if (file === "openapi.json") return anchor === undefined ? "/docs/api/service" : `/docs/api/${anchor}`;
    if (file === "tools.md") {
      const group = anchor === undefined ? undefined : groupOfTool.get(anchor);
      return group === undefined ? "/docs/tools" : `/docs/tools/${group}${hash}`;
    }
    if (file === "overview.md") return `/docs${hash}`;
    return /^[a-z-]+\.md$/.test(file) ? `/docs/${file.replace(".md", "")}${hash}` : null;
  };
}
