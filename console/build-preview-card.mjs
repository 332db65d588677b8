// Builds the preview card of the MCP endpoint: one page that loads nothing.
import { createHash } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const sources = fileURLToPath(new URL("src/preview-card/", import.meta.url));
const file = fileURLToPath(new URL("../dist/preview-card.html", import.meta.url));
const maximumBytes = 40_000;

/** Writes the page beside the old one and renames it. Fails when it is too large. */
export async function buildPreviewCard() {
  const page = await buildPage();
  const bytes = Buffer.byteLength(page);
  if (bytes > maximumBytes) throw new Error(`preview card: ${bytes} bytes, at most ${maximumBytes}`);
  writeFileSync(`${file}.new`, page);
  renameSync(`${file}.new`, file);
}

async function buildPage() {
  const { output } = await build({
    configFile: false,
    root: sources,
    logLevel: "warn",
    build: {
      write: false,
      target: ["chrome123", "edge123", "firefox121", "safari17.5"],
      modulePreload: false,
      cssCodeSplit: false,
      rolldownOptions: { input: `${sources}card.ts`, output: { format: "iife" }, checks: { bundlerTimings: false } },
    },
  });
  const script = output
    .find(({ type }) => type === "chunk")
    .code.trim()
    .replaceAll("</script", "<\\/script");
  const style = output.find(({ fileName }) => fileName.endsWith(".css")).source.trim();
  const template = readFileSync(`${sources}card.html`, "utf8").replaceAll(/\n\s*/g, "");
  return template
    .replace("__POLICY__", () => policyFor(script, style))
    .replace("<style></style>", () => `<style>${style}</style>`)
    .replace("<script></script>", () => `<script>${script}</script>`);
}

/** Nothing is loaded, and only this script and this style sheet apply. Images are parts of results. */
function policyFor(script, style) {
  const hashOf = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}
