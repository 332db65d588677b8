import sql, { raw, type Sql } from "sql-template-tag";
import type { Database, Queryable } from "../../src/infra/database/db.js";

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: Node[];
};

/** Nodes that read or sort more rows than allowed. */
export async function excessesOf(
  db: Database,
  statement: Sql,
  most: number,
  isCounted: (relation: string | undefined) => boolean = () => true,
): Promise<string[]> {
  const [row] = await db.transaction(async (tx) => {
    // For tables as small as these, reading all of one is often the better plan.
    await tx.query(
      raw("set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off"),
    );
    return tx.query<{ "QUERY PLAN": [{ Plan: Node }] }>(sql`explain (analyze, timing off, format json) ${statement}`);
  });
  if (row === undefined) throw new Error("no plan");
  // A row that is read once may be looked at again from memory.
  const nodes = nodesOf(row["QUERY PLAN"][0].Plan).filter(
    (node) => node["Node Type"] !== "Materialize" && isCounted(node["Relation Name"]),
  );
  return nodes.flatMap((node) => {
    const rows = rowsRead(node);
    const place = [node["Node Type"], node["Relation Name"], node["Index Name"]].filter((part) => part !== undefined);
    return rows > most ? [`${place.join(" ")}: ${rows} rows`] : [];
  });
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function rowsRead(node: Node): number {
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  // What a sort returns may be cut off by a limit: what goes into it counts.
  const input = node["Node Type"].endsWith("Sort") ? (node.Plans ?? []).map(rowsRead) : [];
  return Math.max((node["Actual Rows"] + removed) * node["Actual Loops"], ...input);
}

/** The database, with all that is read from it noted. */
export function capturing(note: (statement: Sql) => void): (db: Database) => Database {
  const noting = (on: Queryable): Queryable => ({
    query(statement, name) {
      if (/^\s*(select|with)\b/i.test(statement.sql)) note(statement);
      return on.query(statement, name);
    },
  });
  return (db) => ({
    ...db,
    ...noting(db),
    lookups: noting(db.lookups),
    transaction: (work, options) => db.transaction((tx) => work({ ...tx, ...noting(tx) }), options),
  });
}
