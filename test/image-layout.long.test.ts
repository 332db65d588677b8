import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFreePort } from "./cli/launch.js";
import { type BuiltImage, buildImage } from "./support/buildah-image.js";
import { commandIn, contextNames, readDockerfile, type Stage, textsOf } from "./support/dockerfile.js";
import { fastStart } from "./support/svc.js";

/**
 * The files of the image, made by the steps of the Dockerfile and run as a user who can write to DATA_DIR only. The build
 * stage takes packages and compiled files from this checkout. With IMAGE_STEPS=npm it carries out its RUN steps instead, and
 * with IMAGE_STEPS=buildah the image is really built; both take minutes and need the npm registry.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const [build, final] = readDockerfile();
const workDir = "/app";
const steps = process.env.IMAGE_STEPS;
const revision = "0123456789abcdef0123456789abcdef01234567";

let folder: string;
let app: string;
let dataDir: string;
let image: BuiltImage | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-image-"));
  chmodSync(folder, 0o755);
  app = join(folder, "final", workDir);
  if (steps === "buildah") {
    image = buildImage(folder, revision);
    linkInto(join(folder, "final"), image.files, [workDir.slice(1)]);
  } else {
    if (steps === "npm") buildWithNpm(join(folder, "build"));
    else linkBuilt(join(folder, "build"));
    for (const text of textsOf(final, "COPY")) copyFromBuild(text);
  }
  dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  if (account !== undefined) chownSync(dataDir, account.uid, account.gid);
}, 900_000);

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

describe("the files of the image", () => {
  it("include no development packages, sources or tests", () => {
    for (const name of ["node_modules/typescript", "node_modules/vitest", "src", "test", ".git"]) {
      expect(existsSync(join(app, name)), name).toBe(false);
    }
  });

  it("include the licence, the notices, and the licences of fonts and of the console's packages", () => {
    expect(readFileSync(join(app, "dist/console/licenses.txt"), "utf8")).toMatch(/^## react - /m);
    for (const name of ["LICENSE", "NOTICE", "fonts/inter/LICENSE"])
      expect(existsSync(join(app, name)), name).toBe(true);
  });

  if (steps === "buildah") {
    it("are in an image that says what it is and how it runs", () => {
      const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
      expect(image?.config).toMatchObject({
        User: "node",
        Cmd: commandIn(textsOf(final, "CMD")[0]),
        Labels: {
          "org.opencontainers.image.title": "Event platform",
          "org.opencontainers.image.version": version,
          "org.opencontainers.image.licenses": license,
          "org.opencontainers.image.revision": revision,
        },
        Healthcheck: { Test: ["CMD", ...commandIn(textsOf(final, "HEALTHCHECK")[0])] },
      });
      const { uid, mode } = statSync(join(image?.files ?? "", "data"));
      expect([uid, mode & 0o777]).toEqual([1000, 0o700]);
      expect(readlinkSync(join(image?.files ?? "", "usr/local/bin/svc"))).toBe("/app/bin/svc");
    });
  }

  it("serve, respond to the health check and drain, as a user who can write to DATA_DIR only", async () => {
    const marker = join(folder, "marker");
    writeFileSync(marker, "");
    const port = String(await findFreePort());
    const [, ...serve] = commandIn(textsOf(final, "CMD")[0]);
    const child = run([...fastStart, ...serve, "--json"], { ...imageEnvironment(), PORT: port });
    const ready = JSON.parse(await untilClosingBrace(child)) as { url: string; demo: { keys: { key: string }[] } };
    const authorization = `Bearer ${ready.demo.keys[0]?.key}`;
    const ping = await fetch(`http://127.0.0.1:${port}/api/svc/ping`, { headers: { authorization } });
    expect(ping.status).toBe(200);
    const [, ...check] = commandIn(textsOf(final, "HEALTHCHECK")[0]);
    expect(await exitCode(run(check, { PORT: port }))).toBe(0);
    const closed = exitCode(child);
    child.kill("SIGTERM");
    expect(await closed).toBe(0);
    expect(execFileSync("find", [app, "-newer", marker], { encoding: "utf8" })).toBe("");
    const unused = String(await findFreePort());
    expect(await exitCode(run(check, { PORT: unused }))).toBe(1);
  });

  it("draw a poster: fonts, emoji and native libraries are there", async () => {
    const child = run(["--input-type=module", "-e", drawPoster], {});
    const closed = exitCode(child);
    let text = "";
    for await (const chunk of child.stdout) text += String(chunk);
    expect(await closed).toBe(0);
    expect(JSON.parse(text)).toEqual({ width: 1080, height: 1080 });
  });
});

const drawPoster = `
  import { createPosterRenderer } from "./dist/src/poster-render/poster-renderer.js";
  import sharp from "sharp";
  const renderer = createPosterRenderer({ threads: 1 });
  const material = {
    title: "Grüße 你好 שלום สวัสดี नमस्ते 🎉", event_name: "Event", conference_name: null, when: "Day 1", where: null,
    speakers: [], organization: { name: "Organization", logo: null }, co_hosts: [], link: null,
    words: { with: "with", more: "more", moderator: "Moderator", host: "Host" }, primary_color: "#102030", secondary_color: "#f0e0d0",
  };
  const { image } = await renderer.render({ template: "headline", format: "square", material });
  const { width, height } = await sharp(image).metadata();
  await renderer.close();
  console.log(JSON.stringify({ width, height }));
`;

/** Who runs the service. Root would be able to write everywhere; another user than root owns the files. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;

const children: ChildProcess[] = [];

function run(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    cwd: app,
    env: { PATH: process.env.PATH, HOME: "/nonexistent", ...env },
    stdio: ["ignore", "pipe", "inherit"],
    ...account,
  });
  children.push(child);
  return child;
}

/** ENV of the image, with the folder of this test as DATA_DIR. */
function imageEnvironment(): Record<string, string> {
  const pairs = textsOf(final, "ENV").flatMap((text) => text.split(/\s+/).map((pair) => pair.split("=")));
  return { ...Object.fromEntries(pairs), HOST: "127.0.0.1", DATA_DIR: dataDir, SHUTDOWN_GRACE_S: "0" };
}

async function exitCode(child: ReturnType<typeof run>): Promise<number | null> {
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

async function untilClosingBrace(child: ReturnType<typeof run>): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.endsWith("}\n")) return text;
  }
  throw new Error(`the service ended before it was ready: ${text}`);
}

/** The build stage, step by step. */
function buildWithNpm(stageRoot: string): void {
  const cwd = join(stageRoot, workDir);
  mkdirSync(cwd, { recursive: true });
  for (const { keyword, text } of (build as Stage).instructions) {
    if (keyword === "COPY") {
      const names = text === ". ." ? contextNames() : text.split(" ").slice(0, -1);
      execFileSync("cp", ["-R", ...names, cwd], { cwd: root });
    } else if (keyword === "RUN") execFileSync("sh", ["-c", text], { cwd, stdio: "inherit" });
  }
}

/** What the build stage leaves behind, from this checkout: the context, the compiled files and the production packages. */
function linkBuilt(stageRoot: string): void {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const packages = Object.entries(lock.packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional && existsSync(join(root, path)))
    .map(([path]) => path);
  linkInto(join(stageRoot, workDir), root, [...contextNames(), "dist", ...packages]);
}

/** `COPY --from=build /app/bin ./bin`: every COPY of the final stage keeps the path. */
function copyFromBuild(text: string): void {
  const [, path = ""] = /^--from=build \/app\/(\S+) \.\/\S*$/.exec(text) ?? [];
  if (path === "" || !(text.endsWith(" ./") || text.endsWith(` ./${path}`)))
    throw new Error(`Dockerfile: COPY ${text}`);
  linkInto(app, join(folder, "build", workDir), [path]);
}

/** Hard links if possible: copying the packages takes seconds. */
function linkInto(to: string, from: string, names: string[]): void {
  mkdirSync(to, { recursive: true });
  const copy = (flags: string) => execFileSync("cp", [flags, "--parents", ...names, to], { cwd: from, stdio: "pipe" });
  try {
    copy("-al");
  } catch {
    copy("-a");
  }
}
