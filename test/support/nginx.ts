import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { findFreePort } from "../cli/launch.js";
import { nginxProgram } from "./programs.js";
import { selfSigned } from "./self-signed.js";
import { until } from "./until.js";

export const proxyName = "svc.test";

export type Nginx = {
  httpPort: number;
  httpsPort: number;
  certificate: string;
  /** What it has written to each of its logs. */
  log(name: "access" | "error"): string;
  /** The folder for request bodies that do not fit into memory. */
  bodies: string;
  /** Tells it to load this text as its configuration. */
  reload(configuration: string): void;
  stop(): Promise<void>;
};

/** Starts nginx with ops/nginx.conf: only addresses and paths are others, and for a test of it the wait for a response. */
export async function startNginx(upstreams: [string, string], readTimeout = "60s"): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "svc-nginx-"));
  // Workers are not root.
  chmodSync(folder, 0o755);
  for (const name of ["tls", "cache", "temp"]) mkdirSync(join(folder, name));
  const { cert, key } = selfSigned([proxyName]);
  writeFileSync(join(folder, "tls/fullchain.pem"), cert);
  writeFileSync(join(folder, "tls/privkey.pem"), key);
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()];
  const file = join(folder, "nginx.conf");
  writeFileSync(file, configuration(folder, { httpPort, httpsPort, upstreams, readTimeout }));
  const tested = spawnSync(nginxProgram, ["-t", "-p", folder, "-c", file], { encoding: "utf8" });
  if (tested.status !== 0) throw new Error(`nginx does not load ops/nginx.conf: ${tested.stderr}`);
  const child = spawn(nginxProgram, ["-p", folder, "-c", file, "-g", "daemon off;"], { stdio: "ignore" });
  await until(() => accepts(httpsPort)).catch(async (error: unknown) => {
    await stop(child, folder);
    throw error;
  });
  return {
    httpPort,
    httpsPort,
    certificate: cert,
    log: (name) => readFileSync(join(folder, `${name}.log`), "utf8"),
    bodies: join(folder, "temp/client_temp"),
    reload(text) {
      writeFileSync(file, text);
      child.kill("SIGHUP");
    },
    stop: () => stop(child, folder),
  };
}

type Settings = { httpPort: number; httpsPort: number; upstreams: [string, string]; readTimeout: string };

function configuration(folder: string, { httpPort, httpsPort, upstreams, readTimeout }: Settings): string {
  const replacements: Record<string, string> = {
    "listen 8080": `listen 127.0.0.1:${httpPort}`,
    "listen 8443": `listen 127.0.0.1:${httpsPort}`,
    "10.255.83.11:3000": upstreams[0],
    "10.255.83.12:3000": upstreams[1],
    "/dev/stdout": join(folder, "access.log"),
    "/dev/stderr": join(folder, "error.log"),
    "/etc/nginx/tls/": join(folder, "tls/"),
    "/var/cache/nginx/": join(folder, "cache/"),
    "/tmp/": join(folder, "temp/"),
    "proxy_read_timeout 60s": `proxy_read_timeout ${readTimeout}`,
  };
  const shipped = readFileSync(new URL("../../ops/nginx.conf", import.meta.url), "utf8");
  for (const name of Object.keys(replacements)) {
    if (!shipped.includes(name)) throw new Error(`ops/nginx.conf: expected ${name}`);
  }
  return shipped.replaceAll(new RegExp(Object.keys(replacements).join("|"), "g"), (name) => replacements[name] ?? "");
}

export type Sent = { method?: string; path: string; headers?: Record<string, string>; body?: string };
export type Received = { status: number; headers: IncomingHttpHeaders; text: string };

/** One request over HTTPS. */
export function send({ httpsPort, certificate }: Nginx, sent: Sent): Promise<Received> {
  return exchange(sent, (options) =>
    httpsRequest({ ...options, port: httpsPort, servername: proxyName, ca: certificate }),
  );
}

export function sendPlain({ httpPort }: Nginx, sent: Sent): Promise<Received> {
  return exchange(sent, (options) => httpRequest({ ...options, port: httpPort }));
}

/** Sends this text over TLS, and returns what is received until nginx closes the connection. */
export async function sendText({ httpsPort, certificate }: Nginx, text: string): Promise<string> {
  const socket = connectTls({ host: "127.0.0.1", port: httpsPort, servername: proxyName, ca: certificate });
  socket.write(text);
  let received = "";
  for await (const chunk of socket) received += String(chunk);
  return received;
}

function exchange(sent: Sent, start: (options: RequestOptions) => ClientRequest): Promise<Received> {
  const { method = "GET", path, headers, body = "" } = sent;
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", method, path, headers: { host: proxyName, ...headers }, agent: false };
    const request = start(options);
    request.once("error", reject);
    request.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.once("error", reject);
    });
    request.end(body);
  });
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const accepted = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "close").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return accepted;
}

async function stop(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const closed = once(child, "close");
    child.kill("SIGTERM");
    await closed;
  }
  rmSync(folder, { recursive: true, force: true });
}
