import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../infra/project-root.js";

const checkoutProgram = fileURLToPath(new URL("bin/svc", projectRoot));

/** How the user starts this program, so that printed commands can be pasted: `svc`, or its path in a checkout. */
export const programName = nameOf(process.argv[1], process.cwd());

export function nameOf(started: string | undefined, directory: string): string {
  if (started !== checkoutProgram) return "svc";
  const path = relative(directory, checkoutProgram);
  return path.startsWith("..") ? checkoutProgram : `./${path}`;
}

/** Help with example lines such as `$ svc keys list`, as this user types them. */
export function withProgramName(help: string): string {
  return help.replaceAll(/^ *\$ .*$/gm, (line) => line.replaceAll(/\bsvc(?= )/g, programName));
}

/** A sentence that names commands such as `svc migrate`, as this user types them. */
export function withCommandName(sentence: string): string {
  return sentence.replaceAll(/\bsvc(?= [a-z])/g, programName);
}
