import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../../contract/errors.js";
import { acceptedCoding } from "../infra/compress.js";
import { digestOf, etagOf, namesTag } from "../infra/etag.js";
import { projectRoot } from "../infra/project-root.js";
import { addVary, ifNoneMatchOf, sendNotModified } from "../infra/send-content.js";

/** The paths of the console's pages. The application in the browser shows the page of a path. */
export const pagePaths = [
  "/",
  "/sign-in",
  "/sign-in/done",
  "/invite/:token",
  "/reset/:token",
  "/account",
  "/door",
  "/connect",
  "/connect/:uid",
  "/o/*",
  "/admin",
  "/admin/*",
  "/docs",
  "/docs/*",
];

const contentTypes: Record<string, string | undefined> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".jpg": "image/jpeg",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};

type BuiltFile = { content: Buffer; etag: string; type: string; br: Buffer | undefined; gzip: Buffer | undefined };

const folder = new URL("dist/console/", projectRoot);

/** The built application, in memory: its files are few, and a request never becomes a path of the file system. */
export type BuiltPages = { files: Map<string, BuiltFile>; page: string | undefined };

export function readPages(): BuiltPages {
  built ??= readFiles();
  return { files: built, page: built.get("index.html")?.content.toString("utf8") };
}

/** Once per process: tests start many services in one. */
let built: Map<string, BuiltFile> | undefined;

/** A person who mistyped an address gets a page that says so; programs get the error of an unknown path. */
export function sendMissingPage({ page }: BuiltPages, request: FastifyRequest, reply: FastifyReply): boolean {
  if (page === undefined || !isPageRequest(request)) return false;
  sendPage(reply.code(404), page);
  return true;
}

export function addPages(app: FastifyInstance, { files, page }: BuiltPages): void {
  for (const url of pagePaths) app.get(url, async (_request, reply) => sendPage(reply, page));
  // A route for each of the hundreds of assets would take 0.1 s of a start.
  app.get<{ Params: { name: string } }>("/assets/:name", async (request, reply) => {
    const file = files.get(`assets/${request.params.name}`);
    if (file === undefined) return reply.callNotFound();
    return sendFile(request, reply.header("cache-control", "public, max-age=31536000, immutable"), file);
  });
  for (const [name, file] of files) {
    if (name === "index.html" || name.startsWith("assets/")) continue;
    app.get(`/${name}`, async (request, reply) => sendFile(request, reply.header("cache-control", "no-cache"), file));
  }
}

/** Only browsers that open an address name HTML before everything else. */
function isPageRequest({ method, url, headers }: FastifyRequest): boolean {
  return method === "GET" && /^text\/html\b/i.test(headers.accept ?? "") && !/^\/(api|images|assets)(\/|$)/i.test(url);
}

function sendPage(reply: FastifyReply, page: string | undefined): FastifyReply {
  if (page === undefined) {
    throw new ServiceError("unavailable", "The console is not built. Run npm run build, and start the service again");
  }
  const nonce = randomBytes(16).toString("base64");
  return reply
    .header("cache-control", "no-store")
    .header("content-security-policy", securityPolicy(nonce))
    .header("permissions-policy", "camera=(self), microphone=(), geolocation=()")
    .type("text/html; charset=utf-8")
    .send(page.replaceAll("__NONCE__", nonce));
}

/** Posters may be on other servers. Styles of the component library carry the nonce; nothing else is inline. */
function securityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' https: data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile): FastifyReply {
  if (file.br !== undefined || file.gzip !== undefined) addVary(reply, "Accept-Encoding");
  const coding = acceptedCoding(request.headers["accept-encoding"]);
  const compressed = coding === undefined ? undefined : file[coding];
  const etag = compressed === undefined ? file.etag : file.etag.replace(/"$/, `-${coding}"`);
  if (namesTag(ifNoneMatchOf(request), etag)) return sendNotModified(reply, etag);
  if (compressed !== undefined) reply.header("content-encoding", coding);
  return reply
    .type(file.type)
    .header("etag", etag)
    .send(compressed ?? file.content);
}

function readFiles(): Map<string, BuiltFile> {
  if (!existsSync(folder)) return new Map();
  const names = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  const read = (name: string) => (names.has(name) ? readFileSync(new URL(name, folder)) : undefined);
  const files = new Map<string, BuiltFile>();
  for (const name of names) {
    const type = contentTypes[extname(name)];
    if (type === undefined) continue;
    const content = readFileSync(new URL(name, folder));
    files.set(name, {
      content,
      type,
      etag: etagOf(digestOf(content)),
      br: read(`${name}.br`),
      gzip: read(`${name}.gz`),
    });
  }
  return files;
}
