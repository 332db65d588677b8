import { loadPart } from "../../ui/load-part.ts";
/** The parts of docs/openapi.json that the reference shows. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
  [other: string]: unknown;
};

export type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
};

export type Content = Record<string, { schema?: Schema; example?: unknown }>;

export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  security?: unknown[];
  "x-scope"?: string;
  "x-role"?: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, OperationResponse>;
};

type OperationResponse = { description: string; "x-code"?: string; headers?: object; content?: Content };

export type OpenApi = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, OperationResponse> };
};

export type Endpoint = Operation & { method: string; path: string };

let loaded: Promise<OpenApi> | undefined;

export function loadOpenApi(): Promise<OpenApi> {
  loaded ??= loadPart(() => import("../../../../docs/openapi.json")).then((module) =>
    withResponses(module.default as unknown as OpenApi),
  );
  return loaded;
}

/** With the errors that several operations have in the place of references to them. */
function withResponses(document: OpenApi): OpenApi {
  for (const { responses } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    for (const [status, response] of Object.entries(responses)) {
      if ("$ref" in response) {
        const { $ref, ...own } = response as { $ref: string };
        const shared = referred(document.components.responses, { $ref });
        if (shared !== undefined) responses[status] = { ...shared, ...own };
      }
    }
  }
  return document;
}

function referred<Component>(components: Record<string, Component>, { $ref = "" }: { $ref?: string }) {
  return components[$ref.split("/").at(-1) ?? ""];
}

export function endpointsOf({ paths }: OpenApi, tag: string): Endpoint[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

export type Field = { path: string; schema: Schema; required: boolean };

/** The fields of an object, with those of nested objects as `pagination.count` and `items[].id`. */
export function flatFields(schema: Schema, resolve: (schema: Schema) => Schema, depth = 3): Field[] {
  const { properties = {}, required = [] } = resolve(schema);
  return Object.entries(properties).flatMap(([name, field]) => {
    const own = { path: name, schema: field, required: required.includes(name) };
    if (depth === 0) return [own];
    const target = resolve(field);
    const inner = target.type === "array" && target.items !== undefined ? target.items : target;
    const prefix = inner === target ? `${name}.` : `${name}[].`;
    return [
      own,
      ...nestedFields(inner, resolve, depth - 1).map((nested) => ({ ...nested, path: prefix + nested.path })),
    ];
  });
}

function nestedFields(schema: Schema, resolve: (schema: Schema) => Schema, depth: number): Field[] {
  const target = resolve(schema);
  if (target.anyOf === undefined) return flatFields(target, resolve, depth);
  return target.anyOf.flatMap((choice) => flatFields(choice, resolve, depth));
}

export function resolver(schemas: Record<string, Schema>): (schema: Schema) => Schema {
  return (schema) => (schema.$ref === undefined ? schema : (referred(schemas, schema) ?? schema));
}

export type Inputs = { parameters: Record<string, string>; body: string };

/** What the example request sends, as the fields of a form have it. */
export function exampleInputs({ parameters = [], requestBody }: Operation): Inputs {
  const given = parameters.filter(({ example }) => example !== undefined);
  const body = requestBody?.content["application/json"]?.example;
  return {
    parameters: Object.fromEntries(given.map(({ name, example }) => [name, String(example)])),
    body: body === undefined ? "" : JSON.stringify(body, null, 2),
  };
}

/** The address of a request. Parameters without a value stay out of the query. */
export function addressOf({ path, parameters = [] }: Endpoint, inputs: Inputs): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = inputs.parameters[name];
    return value === undefined || value === "" ? whole : encodeURIComponent(value);
  });
  const query = parameters.flatMap((parameter) => {
    const value = inputs.parameters[parameter.name] ?? "";
    return parameter.in === "query" && value !== "" ? [[parameter.name, value]] : [];
  });
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

export const isPublic = ({ security }: Operation): boolean => security?.length === 0;
