import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Programs of Debian's packages, without which tests are skipped. NGINX names another version than the installed one. */
export const nginxProgram = process.env.NGINX ?? "/usr/sbin/nginx";
export const pgBouncerProgram = "/usr/sbin/pgbouncer";
export const fakeTimeLibrary = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;

const places = {
  nginx: [nginxProgram],
  pgbouncer: [pgBouncerProgram],
  libfaketime: [fakeTimeLibrary],
  python3: (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "python3")),
};

export type Package = keyof typeof places;

/** The packages that are not installed. */
export const missingPackages = (Object.keys(places) as Package[]).filter((name) => !places[name].some(existsSync));
