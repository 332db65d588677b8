import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export type Installation = {
  migrations: URL;
  executable: string;
  remove(): Promise<void>;
};

/** An installation of the service whose only difference to this one is that it has more migrations, or fewer. */
export async function installVersion(difference: {
  extra?: Record<string, string>;
  without?: string[];
}): Promise<Installation> {
  const directory = await mkdtemp(join(tmpdir(), "svc-test-version-"));
  for (const name of ["bin", "migrations", "package.json"]) {
    await cp(join(root, name), join(directory, name), { recursive: true });
  }
  // Copied, because Node resolves links before a module looks for the root of its installation.
  for (const name of ["contract", "src", "demo"]) {
    await cp(join(root, "dist", name), join(directory, "dist", name), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(directory, "node_modules"));
  const migrations = join(directory, "migrations");
  for (const [name, text] of Object.entries(difference.extra ?? {})) await writeFile(join(migrations, name), text);
  for (const name of difference.without ?? []) await rm(join(migrations, name));
  return {
    migrations: pathToFileURL(`${migrations}/`),
    executable: join(directory, "bin/svc"),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
