import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { link, mkdir, open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { feedPage, postPage } from "./stand-in-network/pages.js";

export type StoredPost = {
  id: string;
  platform: string;
  client_token: string | null;
  caption: string;
  alt_text: string;
  image: string;
  sha256: string;
  bytes: number;
  created_at: string;
};

export type StandInNetwork = { url: string; close(): Promise<void> };

export const defaultPort = 4010;

/**
 * A fake social network on loopback for trying out the agent. Posts and images are files in a folder, so they persist,
 * and a client token creates at most one post, however often it is uploaded.
 *
 *   POST /api/{platform}/posts                 multipart: image, caption, alt_text, client_token → 201, or 200 if it exists
 *   GET  /api/{platform}/posts?client_token=…  the post created with this token, or 404
 *   GET  /{platform}/{id}                      the post's page
 *   GET  /images/{file}                        a stored image
 */
export async function startStandInNetwork(folder: string, port?: number): Promise<StandInNetwork> {
  await mkdir(join(folder, "images"), { recursive: true });
  await mkdir(join(folder, "posts"), { recursive: true });
  const server = createServer((request, response) => {
    handleRequest(folder, request, response).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error);
      if (!response.headersSent) sendJson(response, 500, { error: problem });
      else response.destroy();
    });
  });
  const listen = async (requestedPort: number) => {
    server.listen(requestedPort, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(port ?? defaultPort).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    if (port !== undefined) throw new Error(`port ${port} is in use: choose another with --network-port`);
    return listen(0);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

export async function listStoredPosts(folder: string): Promise<StoredPost[]> {
  const files = (await readdir(join(folder, "posts"))).filter((name) => name.endsWith(".json"));
  const posts = await Promise.all(files.map((name) => readFile(join(folder, "posts", name), "utf8")));
  return posts.map((text) => JSON.parse(text) as StoredPost).sort((a, b) => b.created_at.localeCompare(a.created_at));
}

const fileTypes: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
};
const maxBodyBytes = 25_000_000;

async function handleRequest(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", `http://${request.headers.host ?? "127.0.0.1"}`);
  const platform = /^\/api\/([\w.-]{1,64})\/posts$/.exec(url.pathname)?.[1];
  if (platform !== undefined && request.method === "POST") {
    return receivePost(folder, platform, url.origin, request, response);
  }
  if (request.method !== "GET") return sendJson(response, 405, { error: "Method not allowed" });
  if (platform !== undefined) {
    const token = url.searchParams.get("client_token") ?? "";
    const post = await findPost(folder, postIdOf(platform, token));
    return post === undefined
      ? sendJson(response, 404, { error: "No post has this client token" })
      : sendJson(response, 200, toResponseBody(post, url.origin));
  }
  const [, file, extension] = /^\/images\/([0-9a-f]{64}\.(\w+))$/.exec(url.pathname) ?? [];
  if (file !== undefined && extension !== undefined) return sendImage(folder, file, extension, response);
  if (url.pathname === "/") return sendPage(response, 200, feedPage(await listStoredPosts(folder)));
  const [, shownPlatform, id] = /^\/([\w.-]{1,64})\/([0-9a-f]{24})$/.exec(url.pathname) ?? [];
  const post = id === undefined ? undefined : await findPost(folder, id);
  if (post === undefined || post.platform !== shownPlatform) return sendJson(response, 404, { error: "Not found" });
  return sendPage(response, 200, postPage(post));
}

async function receivePost(
  folder: string,
  platform: string,
  origin: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return sendJson(response, 413, { error: `body: expected at most ${maxBodyBytes} bytes` });
  const form = await readForm(body, request.headers["content-type"] ?? "");
  const image = form?.get("image");
  if (form === undefined || image === null || image === undefined || typeof image === "string" || image.size === 0) {
    return sendJson(response, 400, { error: "image: expected a file in multipart/form-data" });
  }
  const extension = Object.keys(fileTypes).find((name) => fileTypes[name] === image.type);
  if (extension === undefined) return sendJson(response, 415, { error: `image: unsupported type ${image.type}` });
  const bytes = Buffer.from(await image.arrayBuffer());
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const token = textOf(form, "client_token");
  const post: StoredPost = {
    id: postIdOf(platform, token || randomUUID()),
    platform,
    client_token: token || null,
    caption: textOf(form, "caption"),
    alt_text: textOf(form, "alt_text"),
    image: `${sha256}.${extension}`,
    sha256,
    bytes: bytes.length,
    created_at: new Date().toISOString(),
  };
  const created = await storePost(folder, post, bytes);
  const stored = created ? post : await findPost(folder, post.id);
  sendJson(response, created ? 201 : 200, toResponseBody(stored ?? post, origin));
}

/** `link` fails if the post's file exists, so of concurrent uploads with one token exactly one creates the post. */
async function storePost(folder: string, post: StoredPost, bytes: Buffer): Promise<boolean> {
  const imageFile = join(folder, "images", post.image);
  await rename(await writeTemporary(imageFile, bytes), imageFile);
  const postFile = join(folder, "posts", `${post.id}.json`);
  const temporary = await writeTemporary(postFile, Buffer.from(JSON.stringify(post, null, 2)));
  try {
    await link(temporary, postFile);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(temporary);
  }
}

async function writeTemporary(path: string, bytes: Buffer): Promise<string> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  const file = await open(temporary, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}

async function findPost(folder: string, id: string): Promise<StoredPost | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, "posts", `${id}.json`), "utf8")) as StoredPost;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function postIdOf(platform: string, token: string): string {
  return createHash("sha256").update(`${platform}\n${token}`).digest("hex").slice(0, 24);
}

function toResponseBody(post: StoredPost, origin: string) {
  return {
    id: post.id,
    url: `${origin}/${post.platform}/${post.id}`,
    sha256: post.sha256,
    created_at: post.created_at,
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readForm(body: Buffer, contentType: string): Promise<FormData | undefined> {
  try {
    return await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  } catch {
    return undefined;
  }
}

/** Multipart encodes line breaks as CRLF. */
function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replaceAll("\r\n", "\n") : "";
}

async function sendImage(folder: string, file: string, extension: string, response: ServerResponse): Promise<void> {
  const bytes = await readFile(join(folder, "images", file)).catch(() => undefined);
  if (bytes === undefined) return sendJson(response, 404, { error: "Not found" });
  response.writeHead(200, { "content-type": fileTypes[extension] ?? "application/octet-stream" }).end(bytes);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendPage(response: ServerResponse, status: number, html: string): void {
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
    })
    .end(html);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const folder = process.argv[2] ?? "./posting-agent-state/network";
  const network = await startStandInNetwork(folder, Number(process.argv[3] ?? defaultPort));
  console.log(`Serving the posts in ${folder} at ${network.url}. Press Ctrl-C to stop.`);
}
