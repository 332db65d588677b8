import sql from "sql-template-tag";
import type { Queryable } from "../src/infra/database/db.js";
import { readDemoSignIns } from "./content.js";

/** The first person of the demo who can sign in, if the database has the demo data. */
export async function findDemoPerson(db: Queryable): Promise<string | undefined> {
  const emails = readDemoSignIns().map(({ email }) => email);
  const [found] = await db.query<{ email: string }>(sql`
    select email from users where email = any(${emails}) order by array_position(${emails}, email) limit 1`);
  return found?.email;
}
