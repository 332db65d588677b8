import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { endpointsOf, exampleInputs, loadOpenApi } from "./openapi.ts";
import { type ExampleLanguage, exampleLanguages, requestOf } from "./request-examples.ts";

const run = promisify(execFile);

/** One program of all examples of a language. */
const programs: Record<ExampleLanguage, (examples: string[]) => [string, string[]]> = {
  curl: (examples) => ["bash", ["-euc", `cd "$(mktemp -d)"\n${examples.join("\n")}`]],
  javascript: (examples) => [
    process.execPath,
    ["--input-type=module", "-e", examples.map((example) => `{\n${example}\n}`).join("\n")],
  ],
  python: (examples) => ["python3", ["-c", examples.join("\n")]],
};

type Received = { method: string; address: string; authorization: string; body: unknown };

/** A server that remembers what it was sent. */
async function startRecorder() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push(await readRequest(request));
    response.setHeader("content-type", "application/json").end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { received, server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  const { method = "", url = "", headers } = request;
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  return { method, address: withoutBraces(url), authorization: headers.authorization ?? "", body };
}

/** A parameter without an example stands as `{id}`, which each program sends in its own way. */
const withoutBraces = (address: string) => address.replaceAll(/\{|\}|%7B|%7D/gi, "");

it("sends the same in all languages, for every operation", { timeout: 120_000 }, async () => {
  const document = await loadOpenApi();
  const endpoints = document.tags.flatMap(({ name }) => endpointsOf(document, name));
  const requests = endpoints.map((endpoint) => requestOf(endpoint, exampleInputs(endpoint)));
  expect(requests.length).toBeGreaterThan(30);
  const expected = requests.map(({ method, address, needsKey, body }) => {
    const authorization = needsKey ? "Bearer svc_mk_test" : "";
    return { method, address: withoutBraces(address), authorization, body };
  });
  for (const [language, { write }] of Object.entries(exampleLanguages)) {
    const { received, server, url } = await startRecorder();
    const [program, args] = programs[language as ExampleLanguage](requests.map(write));
    await run(program, args, { env: { ...process.env, SVC_URL: url, SVC_KEY: "svc_mk_test" }, maxBuffer: 1e7 });
    server.closeAllConnections();
    server.close();
    expect(received, language).toEqual(expected);
  }
});
