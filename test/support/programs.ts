import { existsSync } from "node:fs";

/** Programs of Debian's packages, without which tests are skipped. NGINX names another version than the installed one. */
export const nginxProgram = process.env.NGINX ?? "/usr/sbin/nginx";
export const pgBouncerProgram = "/usr/sbin/pgbouncer";
export const fakeTimeLibrary = `/usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu/faketime/libfaketimeMT.so.1`;

const programs = { nginx: nginxProgram, pgbouncer: pgBouncerProgram, libfaketime: fakeTimeLibrary };

/** The packages that are not installed. */
export const missingPackages = Object.entries(programs).flatMap(([name, path]) => (existsSync(path) ? [] : [name]));
