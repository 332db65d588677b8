// Also runs on versions that are too old, so without syntax that they do not have.
const { engines } = require("../package.json");

/** One sentence about a version that is older than `required`, such as ">=20.19". */
function nodeProblem(version, required) {
  const [major, minor] = version.split(".").map(Number);
  const [leastMajor, leastMinor] = required.replace(">=", "").split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return undefined;
  return `Node ${version} is too old: install Node ${leastMajor}.${leastMinor} or later`;
}

/** Ends the process if its version of Node is not one that package.json allows. */
function requireNode(program) {
  const problem = nodeProblem(process.versions.node, engines.node);
  if (problem === undefined) return;
  process.stderr.write(`${program}: ${problem}\n`);
  process.exit(1);
}

exports.nodeProblem = nodeProblem;
exports.requireNode = requireNode;
