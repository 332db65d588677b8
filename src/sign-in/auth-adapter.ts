import { type CustomAdapter, createAdapterFactory } from "better-auth/adapters";
import sql, { join, raw, type Sql } from "sql-template-tag";
import type { Database } from "../platform/database/db.js";

type Where = Parameters<CustomAdapter["findOne"]>[0]["where"];
type Row = Record<string, unknown>;

/**
 * How better-auth reaches our tables: over the pools of the service, and with hashes in place of session tokens. It has
 * the operations that sign-in uses; the service itself makes all other changes.
 */
export function authAdapter(db: Database, hashToken: (token: string) => Promise<Buffer>) {
  async function find(table: string, where: Where, limit: number): Promise<Row[]> {
    const conditions = where.map(({ field, operator, connector, value }) => {
      if (operator !== "eq" || connector !== "AND" || field === "token_hash") return unsupported(`find by ${field}`);
      return field === "email" ? sql`lower(email) = lower(${value})` : sql`${identifier(field)} = ${value}`;
    });
    return db.query<Row>(sql`select * from ${identifier(table)} where ${join(conditions, " and ")} limit ${limit}`);
  }

  const adapter: CustomAdapter = {
    async create({ model, data }) {
      if (model !== "sessions") return unsupported(`create in ${model}`);
      const token: string = data.token_hash;
      const stored = { ...data, token_hash: await hashToken(token) };
      const columns = Object.keys(stored).map(identifier);
      const [row] = await db.changes.query<typeof data>(sql`
        insert into sessions (${join(columns)}) values (${join(Object.values(stored))}) returning *`);
      if (row === undefined) throw new Error("inserting a session returned no row");
      return { ...row, token_hash: token };
    },
    async findOne<Found>({ model, where, join: joined = {} }: Parameters<CustomAdapter["findOne"]>[0]) {
      const [row] = await find(model, where, 1);
      if (row === undefined) return null;
      for (const [table, { on, limit = 100 }] of Object.entries(joined)) {
        const equal = { field: on.to, value: row[on.from], operator: "eq", connector: "AND", mode: "sensitive" };
        row[table] = await find(table, [equal as Where[number]], limit);
      }
      return row as Found;
    },
    findMany: async () => unsupported("findMany"),
    update: async () => unsupported("update"),
    updateMany: async () => unsupported("updateMany"),
    delete: async () => unsupported("delete"),
    deleteMany: async () => unsupported("deleteMany"),
    count: async () => unsupported("count"),
  };
  return createAdapterFactory({ config: { adapterId: "svc", supportsUUIDs: true }, adapter: () => adapter });
}

function unsupported(operation: string): never {
  throw new Error(`better-auth has no access to this operation: ${operation}`);
}

function identifier(name: string): Sql {
  if (!/^[a-z_]+$/.test(name)) throw new Error(`not a column or table name: ${name}`);
  return raw(name);
}
