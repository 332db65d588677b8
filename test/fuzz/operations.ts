import type { Random } from "../support/random.js";
import { type Generator, generate, oddStrings, type Schema, toText } from "./generate.js";

/** Requests for the operations of the OpenAPI document. */

type Parameter = { name: string; in: "path" | "query"; required?: boolean; schema: Schema };

export type Operation = {
  method: string;
  path: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
};

export type OpenApi = {
  paths: Record<string, Record<string, Omit<Operation, "method" | "path">>>;
  components: { schemas: Record<string, Schema> };
};

export type FuzzRequest = { method: string; url: string; headers: Record<string, string>; payload?: string };

export function operationsOf({ paths }: OpenApi): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
}

export function requestFor(generator: Generator, operation: Operation, authorization: string): FuzzRequest {
  const { random, wildness } = generator;
  const headers: Record<string, string> = { authorization, host: "localhost", ...randomHeaders(random, wildness) };
  const url = pathFor(generator, operation) + queryFor(generator, operation);
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const hasBody = schema === undefined ? random.chance(wildness / 4) : random.chance(1 - wildness / 2);
  if (!hasBody) return { method: operation.method, url, headers };
  const payload = toText(generator, generate(generator, ticketingSchema(operation) ?? schema ?? {}));
  return { method: operation.method, url, payload, headers: { "content-type": "application/json", ...headers } };
}

/** The documented body, and fields that the proxy refuses: other spellings of an event id, and ids where none belongs. */
function ticketingSchema({ path, requestBody }: Operation): Schema | undefined {
  const documented = requestBody?.content["application/json"]?.schema;
  if (!path.startsWith("/api/ticketing/") || documented === undefined) return undefined;
  const id: Schema = { type: "string", format: "uuid" };
  const list: Schema = {
    type: "array",
    items: { type: "object", properties: { email: { type: "string" }, event_id: id } },
  };
  return {
    ...documented,
    properties: { ...documented.properties, others: list, Event_Id: id },
  };
}

function randomHeaders(random: Random, wildness: number): Record<string, string> {
  const odd: [string, string[]][] = [
    [
      "content-type",
      ["application/json; charset=utf-8", "application/merge-patch+json", "text/plain", "json", ";", "a/b; c"],
    ],
    ["content-encoding", ["gzip", "identity", "br, gzip", "x"]],
    ["accept-encoding", ["gzip", "br", "*", "identity;q=0", "gzip;q=abc", ",,;"]],
    ["if-none-match", ["*", '"x"', "W/*", ",", '"'.repeat(100)]],
    ["if-match", ["*", '"x"', 'W/"x"', ","]],
    ["origin", ["null", "https://evil.example.com"]],
    ["x-request-id", ["x".repeat(300), "a b"]],
    ["mcp-protocol-version", ["2026-07-28", "2025-11-25", "1900-01-01", "x"]],
    ["expect", ["something"]],
    ["range", ["bytes=0-0"]],
  ];
  return Object.fromEntries(
    odd.filter(() => random.chance(wildness / 4)).map(([name, values]) => [name, random.pick(values)]),
  );
}

function pathFor(generator: Generator, { path, parameters = [] }: Operation): string {
  const { random, wildness } = generator;
  // The id in /posters/{id} is a poster_id.
  const noun = /\/(\w+)s\/\{id\}/.exec(path)?.[1];
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? { type: "string" };
    const value = asText(generate(generator, { format: "uuid", ...schema }, `${noun}_id`));
    // Sometimes the raw text, as far as it stays one segment; an empty one would be another path.
    return random.chance(wildness / 4) ? value.replace(/[^!-~]|[/\\?#]/gu, "%") || "%" : encode(value) || "%20";
  });
}

function queryFor(generator: Generator, { parameters = [] }: Operation): string {
  const { random, wildness } = generator;
  const parts: string[] = [];
  for (const { name, in: place, required, schema } of parameters) {
    if (place !== "query" || !random.chance(required ? 1 - wildness / 2 : 0.4)) continue;
    const given = `${name}=${encode(queryValue(generator, name, schema))}`;
    parts.push(given, ...(random.chance(wildness / 3) ? [given] : []));
  }
  if (random.chance(wildness)) parts.push(`${encode(random.pick(oddStrings))}=${encode(random.pick(oddStrings))}`);
  if (random.chance(wildness / 4)) parts.push(random.pick(["&&", "=", "a[]=1", "a[b]=1", "%zz", "limit", "x=%c0%af"]));
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function queryValue(generator: Generator, name: string, schema: Schema): string {
  const id = name === "id" || name.endsWith("_id");
  return asText(
    generate(generator, id ? { type: "string", format: "uuid" } : schema, name === "id" ? "event_id" : name),
  );
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
