import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

export type NewerVersion = {
  /** Its migrations, with those that this version does not have. */
  migrations: URL;
  executable: string;
  remove(): Promise<void>;
};

/** An installation of the service whose only difference to this one is that it has more migrations. */
export async function installNewerVersion(extra: Record<string, string>): Promise<NewerVersion> {
  const directory = await mkdtemp(join(tmpdir(), "svc-test-newer-"));
  for (const name of ["bin", "migrations", "package.json"]) {
    await cp(join(root, name), join(directory, name), { recursive: true });
  }
  // Copied, because Node resolves links before a module looks for the root of its installation.
  for (const name of ["src", "demo"]) {
    await cp(join(root, "dist", name), join(directory, "dist", name), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(directory, "node_modules"));
  for (const [name, text] of Object.entries(extra)) await writeFile(join(directory, "migrations", name), text);
  return {
    migrations: pathToFileURL(join(directory, "migrations/")),
    executable: join(directory, "bin/svc"),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}
