// Installs the packages of this folder, unless they are those of the lock file already: npm run check-packages
import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const fileIn = (name) => fileURLToPath(new URL(name, import.meta.url));
// npm writes it at the end of an install.
const installed = fileIn("node_modules/.package-lock.json");

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(fileIn("package-lock.json")).mtimeMs) {
  process.stderr.write("installing the packages of .ci/package.json …\n");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: fileIn("."), stdio: "inherit" });
}
