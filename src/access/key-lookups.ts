import sql, { type Sql } from "sql-template-tag";
import { createBatchLoader, placesIn } from "../infra/database/batch-loader.js";
import type { Queryable } from "../infra/database/db.js";
import { type ReadPoint, readPointColumns } from "../infra/database/read-point.js";
import { type ActiveKey, activeKeyJson, callerOf, keyOf, type SecretHash } from "./api-key.js";
import type { KeyCaller } from "./caller.js";
import { type PastRead, selectUnchanged } from "./changes.js";

export type KeyLookups = {
  findCaller(keyHash: SecretHash): Promise<KeyCaller | undefined>;
  /** The read point of the look-up if an earlier read would give the same there; undefined if that may have changed. */
  findUnchanged(read: PastRead): Promise<ReadPoint | undefined>;
};

/** Looks up keys, and whether earlier reads are still valid, in one statement for a whole event-loop turn. */
export function createKeyLookups(db: Queryable): KeyLookups {
  const load = createBatchLoader(
    (subject) => subject,
    async (subjects: Subject[]): Promise<Found[]> => {
      const keyHashes: SecretHash[] = [];
      const reads: PastRead[] = [];
      for (const subject of subjects) typeof subject === "string" ? keyHashes.push(subject) : reads.push(subject);
      const servers = reads.map(({ readAt }) => readAt.server);
      const [row] = await db.query<LookupRow>(selectLookups(keyHashes, reads), "look up keys");
      if (row === undefined) throw new Error("looking up keys returned no row");
      const readAt = { server: row.server, snapshot: row.snapshot };
      const callers: (KeyCaller | undefined)[] = [];
      for (const [place, key] of row.keys ?? []) callers[place - 1] = callerOf(key);
      const unchanged: (ReadPoint | undefined)[] = [];
      for (const place of row.unchanged ?? []) {
        if (readAt.server !== null && servers[place - 1] === readAt.server) unchanged[place - 1] = readAt;
      }
      let keyIndex = 0;
      let readIndex = 0;
      return subjects.map((subject) => (typeof subject === "string" ? callers[keyIndex++] : unchanged[readIndex++]));
    },
  );
  // Hashes load callers, and earlier reads load read points.
  return {
    findCaller: load as KeyLookups["findCaller"],
    findUnchanged: load as KeyLookups["findUnchanged"],
  };
}

/** The hash of a key, or an earlier read. */
type Subject = SecretHash | PastRead;

type Found = KeyCaller | ReadPoint | undefined;

type LookupRow = { keys: [place: number, key: ActiveKey][] | null; unchanged: number[] | null } & ReadPoint;

/** One row, and JSON instead of arrays: the driver spends more on rows and arrays than the database on JSON. */
export function selectLookups(keyHashes: SecretHash[], reads: PastRead[]): Sql {
  return sql`
    select (
      select json_agg(json_build_array(place, ${activeKeyJson}))
      from (select ${keyHashes}::bytea[] as key_hashes) given, ${placesIn(sql`given.key_hashes`)} place
      join lateral ${keyOf(sql`given.key_hashes[place]`)} k on true) as keys,
      (select json_agg(place) from ${selectUnchanged(reads)}) as unchanged,
      ${readPointColumns}`;
}
