import type { Database, Queryable } from "../../src/infra/database/db.js";

/** The same database, counting its statements. `reset` returns how many there were since the last time. */
export function countStatements(inner: Database): { db: Database; reset(): number } {
  let count = 0;
  const counted = (query: Queryable["query"]): Queryable["query"] => {
    return (statement, name) => {
      count += 1;
      return query(statement, name);
    };
  };
  const transaction: Database["transaction"] = (work, options) =>
    inner.transaction((tx) => work({ query: counted(tx.query), last: counted(tx.last) }), options);
  return {
    db: { ...inner, query: counted(inner.query), transaction },
    reset() {
      const counts = count;
      count = 0;
      return counts;
    },
  };
}
