// Where does the CPU time of an unchanged page go? Draws a flame graph of the service under the load of the first row.
// Usage: DATABASE_URL=postgres://… npm run bench:flame -- FILE.svg [--seconds 10] [--profile FILE.cpuprofile]
// Creates a database on that server and drops it at the end.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { connections, eventsPath, withKey } from "./support/base.js";
import { cleanUp, cleanUpOnSignals, onCleanUp } from "./support/clean-up.js";
import { findFreePort, profileWhile } from "./support/cpu-profile.js";
import { createDataset, dropDatasets } from "./support/dataset.js";
import { foldProfile } from "./support/flame-graph.js";
import { renderFlameGraph } from "./support/flame-svg.js";
import { loadOn } from "./support/load.js";
import { logLevel, startService, stopServices } from "./support/service.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: "string", default: "10" }, profile: { type: "string" } },
});
const [file] = positionals;
if (file === undefined || !process.env.DATABASE_URL) {
  console.error("Usage: DATABASE_URL=postgres://… npm run bench:flame -- FILE.svg [--seconds 10] [--profile FILE]");
  process.exit(2);
}

cleanUpOnSignals();
onCleanUp(stopServices);
onCleanUp(dropDatasets);
try {
  const data = await createDataset({ events: 10_000, keys: 1 });
  const inspectorPort = await findFreePort();
  const service = await startService(data.databaseUrl, { execArgv: [`--inspect=127.0.0.1:${inspectorPort}`] });
  const load = loadOn(service, connections, [withKey({ path: eventsPath(data) })]);
  await load.measure(5_000);
  const seconds = Number(values.seconds);
  const profile = await profileWhile(inspectorPort, () => load.measure(seconds * 1_000));
  if (values.profile !== undefined) writeFileSync(values.profile, JSON.stringify(profile));
  const subtitle = `CPU time of the service over ${seconds} s, ${connections} connections, LOG_LEVEL=${logLevel}, Node ${process.version}. Frames below 0.5 % are merged.`;
  const svg = renderFlameGraph(foldProfile(profile), "A page of 50 events, unchanged", subtitle);
  writeFileSync(file, svg);
  console.log(`${file}: ${Math.ceil(svg.length / 1000)} KB`);
} finally {
  await cleanUp();
}
