import { readFileSync } from "node:fs";

export type Instruction = { keyword: string; text: string };
export type Stage = { image: string; name: string | undefined; instructions: Instruction[] };

const file = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

/** The stages of the Dockerfile, with ARG values inserted into FROM. */
export function readDockerfile(): Stage[] {
  const lines = file("Dockerfile")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll("\\\n", " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: Stage[] = [];
  const defaults = new Map<string, string>();
  for (const line of lines) {
    const [, keyword = "", text = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === "") throw new Error(`Dockerfile: cannot read: ${line}`);
    if (keyword === "ARG") defaults.set(...(text.split("=") as [string, string]));
    else if (keyword === "FROM") {
      const [image = "", name] = text.split(" AS ");
      stages.push({
        image: image.replaceAll(/\$\{(\w+)\}/g, (_, arg: string) => defaults.get(arg) ?? ""),
        name,
        instructions: [],
      });
    } else stages.at(-1)?.instructions.push({ keyword, text });
  }
  return stages;
}

/** The texts of all instructions with this keyword. */
export function textsOf(stage: Stage | undefined, keyword: string): string[] {
  return (stage?.instructions ?? []).filter((each) => each.keyword === keyword).map(({ text }) => text);
}

/** The command of CMD or HEALTHCHECK, which are JSON arrays. */
export function commandIn(text: string | undefined): string[] {
  return JSON.parse((text ?? "").replace(/^.*?CMD\s+/, "")) as string[];
}

/** What .dockerignore leaves in the build context. */
export function contextNames(): string[] {
  return [...file(".dockerignore").matchAll(/^!(.*)$/gm)].map(([, name]) => name ?? "");
}
