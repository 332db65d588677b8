import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The page whose snippets are run unchanged. */
export const connectPage = readFileSync(new URL("../../docs/connect-your-agent.md", import.meta.url), "utf8");

export function snippetsOf(language: string): string[] {
  return [...connectPage.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, code]) => code ?? "",
  );
}

/** The snippets contain no types, so Node can run them from stdin. */
export async function runSnippet(
  program = "",
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    // From where the packages of both generations are found.
    cwd: fileURLToPath(new URL("../../.ci", import.meta.url)),
    env: { ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  child.stdin.end(program);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}
