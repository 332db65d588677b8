import { type AppliedMigration, type Migration, readMigrations } from "../infra/database/migrate.js";

/**
 * The migrations of this version that a database or a backup has. One that this version does not have is refused even if it
 * is compatible: this version does not know its tables.
 */
export async function findKnownMigrations(
  holder: "database" | "backup",
  applied: AppliedMigration[],
  directory?: URL,
): Promise<Migration[]> {
  const files = await readMigrations(directory);
  return applied.map(({ name, checksum }) => {
    const known = files.find((file) => file.name === name);
    if (known === undefined) {
      throw new Error(`the ${holder} has migration ${name}, which is unknown to this version: run a newer version`);
    }
    if (known.checksum !== checksum) {
      throw new Error(`the ${holder} has another ${name} than this version: run the version that applied it`);
    }
    return known;
  });
}
