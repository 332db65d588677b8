import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type BuiltImage = {
  /** The files of the image. */
  files: string;
  config: {
    Labels: Record<string, string>;
    User: string;
    Cmd: string[];
    Env: string[];
    Healthcheck: { Test: string[] };
  };
};

/** Builds the image with buildah, as root, on a base image that is made from this machine; everything is kept in the folder. */
export function buildImage(folder: string, revision: string): BuiltImage {
  const storage = ["--root", join(folder, "storage"), "--runroot", join(folder, "run"), "--storage-driver", "vfs"];
  const buildah = (...args: string[]) =>
    execFileSync("buildah", [...storage, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
  const base = join(folder, "base");
  mkdirSync(base);
  execFileSync("sh", [fileURLToPath(new URL("node-base-image.sh", import.meta.url)), base], { stdio: "inherit" });
  const container = buildah("from", "scratch");
  buildah("copy", "--quiet", container, base, "/");
  buildah("config", "--env", "PATH=/usr/local/bin:/usr/bin", container);
  const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
  if (authorities !== undefined) {
    buildah("copy", "--quiet", container, authorities, "/etc/authorities.pem");
    buildah("config", "--env", "NODE_EXTRA_CA_CERTS=/etc/authorities.pem", container);
  }
  buildah("commit", "--quiet", "--rm", container, "localhost/node-base");
  const args = ["--build-arg", "NODE_IMAGE=localhost/node-base", "--build-arg", `REVISION=${revision}`];
  // The format of OCI has no health check.
  const options = ["--isolation", "chroot", "--format", "docker", "--tag", "localhost/svc-test"];
  buildah("build", ...options, ...args, fileURLToPath(new URL("../..", import.meta.url)));
  const inspected = JSON.parse(buildah("inspect", "--type", "image", "localhost/svc-test")) as {
    Docker: { config: BuiltImage["config"] };
  };
  const files = buildah("mount", buildah("from", "localhost/svc-test"));
  return { files, config: inspected.Docker.config };
}
