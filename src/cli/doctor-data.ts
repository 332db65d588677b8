import sql from "sql-template-tag";
import { unusedPictureDays } from "../../contract/pictures.js";
import { expiresSoon, keysWithState } from "../access/api-key.js";
import { countActiveApps } from "../modules/connected-apps/store.js";
import { countImageProblems, countRemovableImages } from "../modules/images/unused.js";
import { countUnfinishedWrites } from "../records/history.js";
import { type DatabaseCheck, ok, problem, warning } from "./doctor-findings.js";
import { counted } from "./output.js";

/** What is examined in the tables. */
export const dataChecks: DatabaseCheck[] = [
  {
    name: "unfinished writes",
    finds: "ticketing writes without an outcome",
    variables: [],
    async run({ db }) {
      const count = await countUnfinishedWrites(db);
      if (count === 0) return ok("every ticketing write has an outcome");
      return warning(
        `without an outcome: ${counted(count, "ticketing write")}`,
        "list them with svc audit --unfinished and check on the platform whether they were carried out",
      );
    },
  },
  {
    name: "keys",
    finds: "API keys that expire soon",
    variables: [],
    async run({ db }) {
      const [row] = await db.query<{ names: string | null; count: number }>(sql`
        select string_agg(k.name, ', ' order by k.expires_at) as names, count(*)::int as count
        from ${keysWithState} k where ${expiresSoon}`);
      if ((row?.count ?? 0) === 0) return ok("no key expires soon");
      return warning(
        `${row?.count === 1 ? "a key expires" : `${row?.count} keys expire`} soon: ${row?.names?.slice(0, 200)}`,
        "create a replacement with svc keys create and hand it to the user",
      );
    },
  },
  {
    name: "apps",
    finds: "connected apps that cannot reach an address without https",
    variables: ["PUBLIC_URL"],
    async run({ db, config: { publicUrl } }) {
      const active = await countActiveApps(db);
      if (active === 0 || publicUrl.startsWith("https:")) return ok(`connected: ${counted(active, "app")}`);
      return warning(
        `connected: ${counted(active, "app")}, and PUBLIC_URL is ${publicUrl}`,
        "apps in the cloud accept https only: put a reverse proxy with a certificate in front, and set PUBLIC_URL to its address",
      );
    },
  },
  {
    name: "images",
    finds: "images that are missing, or that nothing shows",
    variables: [],
    async run({ db }) {
      const { unused, missing } = await countImageProblems(db);
      if (missing > 0)
        return problem(
          `references to images that are not stored: ${missing}`,
          "restore a backup that has them, or import the rows again with other images",
        );
      if (unused === 0) return ok("every stored image is used");
      const { images, bytes } = await countRemovableImages(db);
      if (images === 0)
        return ok(`stored or shown in the last ${unusedPictureDays} days and not used: ${counted(unused, "image")}`);
      return warning(
        `images that nothing shows: ${images}, ${(bytes / 1e6).toFixed(1)} MB`,
        "they only take disk space: remove them with svc images prune --confirm",
      );
    },
  },
];
