import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";

/** The modules that a page needs besides the entry, by a pattern of its path. */
export type PartsOfPages = [pattern: string, modules: string[]][];

/**
 * What is shown before the application is there: the shell in index.html, whose styles are inline, with the nonce that the
 * service sets. The stylesheet follows the shell, so that it is painted without waiting for it. A classic script in the head
 * asks for what the page needs next; the policy forbids inline script, so it is a file.
 */
export function firstPaint(script: string, partsOfPages: PartsOfPages): Plugin {
  const text = readFileSync(script, "utf8");
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 8);
  const fileName = `assets/${basename(script, ".js")}-${hash}.js`;
  const bootTag = (attributes = {}): HtmlTagDescriptor => {
    return { tag: "script", attrs: { src: `/${fileName}`, ...attributes }, injectTo: "head-prepend" };
  };
  return {
    name: "first-paint",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source: text });
    },
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader("content-type", "text/javascript");
        response.end(text);
      });
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        if (bundle === undefined) return [bootTag()];
        const parts = partsOfPages.map(([pattern, modules]) => [pattern, filesOf(modules, bundle)]);
        return { html: withStylesAfterShell(html), tags: [bootTag({ "data-parts": JSON.stringify(parts) })] };
      },
    },
  };
}

function withStylesAfterShell(html: string): string {
  const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
  if (links.length === 0) throw new Error("first-paint: index.html links no stylesheet");
  const rest = links.reduce((text, link) => text.replace(link, ""), html);
  return rest.replace("</body>", `${links.join("\n")}\n</body>`);
}

/** The scripts of the modules and of what they import, without those of the entry, which index.html has. */
function filesOf(modules: string[], bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
  const entry = chunks.find(({ isEntry }) => isEntry);
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name) || name === entry?.fileName) return;
    found.add(name);
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) add(imported);
  };
  for (const module of modules) {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/console/src/${module}`)));
    if (chunk === undefined) throw new Error(`first-paint: no chunk has ${module}`);
    add(chunk.fileName);
  }
  return [...found].map((name) => `/${name}`);
}
