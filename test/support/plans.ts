import { randomUUID } from "node:crypto";
import sql, { raw, type Sql } from "sql-template-tag";
import type { Database } from "../../src/infra/database/db.js";

export type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  Plans?: PlanNode[];
};

export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The plan that a connection keeps, which does not depend on the values. */
export async function keptPlanOf(db: Database, statement: Sql, settings = ""): Promise<PlanNode> {
  const nulls = statement.values.map(() => "null").join(", ");
  const [row] = await db.transaction(async (tx) => {
    await tx.query(raw(`set local plan_cache_mode = force_generic_plan; ${settings}`));
    await tx.query(raw(`prepare planned as ${statement.text}`));
    const explain = raw(`explain (format json) execute planned${nulls === "" ? "" : `(${nulls})`}`);
    const rows = await tx.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(explain);
    await tx.query(raw("deallocate planned"));
    return rows;
  });
  if (row === undefined) throw new Error("no plan");
  return row["QUERY PLAN"][0].Plan;
}

/** How often it is planned when it runs twelve times under one name. */
export function countPlans(db: Database, statement: Sql, name: string = randomUUID()): Promise<number | undefined> {
  return db.session(async (session) => {
    for (let run = 1; run <= 12; run += 1) await session.query(statement, name);
    const [counted] = await session.query<{ custom_plans: number }>(sql`
      select custom_plans from pg_prepared_statements where name = ${name}`);
    return counted?.custom_plans;
  });
}
