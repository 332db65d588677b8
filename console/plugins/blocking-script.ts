import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Plugin } from "vite";

/** Adds a classic script to the head, which runs before the first paint. The policy forbids inline script, so it is a file. */
export function blockingScript(file: string): Plugin {
  const text = readFileSync(file, "utf8");
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 8);
  const fileName = `assets/${basename(file, ".js")}-${hash}.js`;
  return {
    name: "blocking-script",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source: text });
    },
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader("content-type", "text/javascript");
        response.end(text);
      });
    },
    transformIndexHtml: () => [{ tag: "script", attrs: { src: `/${fileName}` }, injectTo: "head-prepend" }],
  };
}
