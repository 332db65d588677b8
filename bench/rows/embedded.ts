import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connections, eventsPath, smallData, uncached, withKey } from "../support/base.js";
import { onCleanUp } from "../support/clean-up.js";
import { loadOn } from "../support/load.js";
import { compareSides, type RowGroup } from "../support/row.js";
import { startService, svc } from "../support/service.js";

export const embeddedRows: RowGroup = [
  {
    id: "embedded",
    name: "page of 50 events, unchanged, embedded",
    reference: "PostgreSQL, cache off",
    goal: { atLeast: 1 },
    async run(bench) {
      const data = await smallData();
      const environment = await copyToEmbedded(data.databaseUrl);
      const request = withKey({ path: eventsPath(data) });
      return compareSides(
        bench,
        loadOn(await startService("", { environment }), connections, [request]),
        loadOn(await startService(data.databaseUrl, uncached), connections, [request]),
      );
    },
  },
];

/** The same rows and keys, in an embedded database. */
async function copyToEmbedded(databaseUrl: string): Promise<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  onCleanUp(async () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "backup.svc.gz");
  const environment = { DATABASE_URL: "", DATA_DIR: join(folder, "data") };
  await svc(["backup", file], { DATABASE_URL: databaseUrl });
  await svc(["restore", file], environment);
  return environment;
}
