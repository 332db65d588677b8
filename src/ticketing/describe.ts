import { z } from "zod";
import { documentedErrors } from "../../contract/errors.js";
import { uuid } from "../../contract/schema/fields.js";
import { ignoredParametersHeader } from "../infra/ignored-names.js";
import type { Tag } from "../route.js";
import { exampleIds } from "../schema/examples.js";
import { fieldsOf, type Json, jsonContent, type SchemaCollection } from "../schema/json-schema.js";
import { errorResponses, header, rateLimitHeaders } from "../schema/openapi.js";
import { type TicketingOperation, ticketingMethods, ticketingPrefix } from "./operations.js";
import { queryFields } from "./payloads.js";

/** The proxy's part of the API description at GET /api/svc. */
export function describeTicketing(
  operations: readonly TicketingOperation[],
  baseUrl: string,
  limit: number,
  schemas: SchemaCollection,
) {
  return {
    address: `${baseUrl}${ticketingPrefix}/{upstream-path}`,
    methods: ticketingMethods,
    key_tier: "organization",
    event_ids:
      "give the event's UUID in the field that the path names; the proxy replaces it with the event's id on the ticketing platform; the key's organization must host or co-host the event",
    paths: operations.map((operation) => {
      const { method, path, call } = operation;
      const body = bodySchema(operation, schemas);
      return {
        method,
        path,
        summary: call.summary,
        scope: call.scope,
        role: call.role,
        event_id_in: method === "GET" ? "query" : method === "DELETE" ? "query or body" : "body",
        event_id_names: call.event.names,
        parameters: call.parameters,
        body: body === undefined ? null : { schema: body, example: exampleRequest(operation) },
        response: { schema: schemas.add(call.response, "output"), example: call.example.response },
      };
    }),
    errors: documentedErrors("ticketing").map(({ status, code, condition }) => ({ status, code, condition })),
    limit: { requests: limit, per: "organization", paths: `${ticketingPrefix}/*` },
  };
}

/** The proxy's paths in the OpenAPI document. */
export function ticketingOpenapiPaths(
  operations: readonly TicketingOperation[],
  schemas: SchemaCollection,
): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, schemas) };
  }
  return paths;
}

function describeOperation(operation: TicketingOperation, schemas: SchemaCollection): object {
  const { operationId, method, call } = operation;
  const [eventField, ...otherNames] = call.event.names;
  const body = bodySchema(operation, schemas);
  const errors = documentedErrors("ticketing").filter(
    ({ documentedOn }) => documentedOn !== "with body" || method !== "GET",
  );
  return {
    operationId,
    tags: ["ticketing" satisfies Tag],
    summary: call.summary,
    description: `Give the event's UUID as ${eventField}${otherNames.map((name) => ` or ${name}`).join("")}.`,
    "x-scope": call.scope,
    "x-role": call.role,
    parameters: body === undefined ? queryParameters(operation) : [],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: jsonContent(body, exampleRequest(operation)) } }),
    responses: {
      200: {
        description: "The platform's response, unchanged",
        headers: { ...rateLimitHeaders, [ignoredParametersHeader]: header("IgnoredQueryParameters") },
        content: jsonContent(schemas.add(call.response, "output"), call.example.response),
      },
      ...errorResponses(errors),
    },
  };
}

/** The body of a write. A DELETE is documented with its fields in the query. */
function bodySchema({ method, call }: TicketingOperation, schemas: SchemaCollection): Json | undefined {
  if (call.body === undefined || method === "DELETE") return undefined;
  return schemas.add(z.looseObject({ [eventFieldOf(call.event.names)]: uuid, ...call.body.shape }), "input");
}

function queryParameters(operation: TicketingOperation): Json[] {
  const { call } = operation;
  const eventField = eventFieldOf(call.event.names);
  const types = new Map(fieldsOf(queryFields).map(({ name, field }) => [name, field]));
  const examples: Record<string, unknown> = exampleRequest(operation);
  return [eventField, ...call.parameters.filter((name) => name !== eventField)].map((name) => {
    const { description, ...schema }: Json =
      name === eventField
        ? { type: "string", format: "uuid", description: "the event" }
        : (types.get(name) ?? { type: "string" });
    return {
      name,
      in: "query",
      required: name === eventField || (call.requiresTicketType === true && name in examples),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(examples[name] === undefined
        ? {}
        : { example: schema.type === "integer" ? Number(examples[name]) : examples[name] }),
    };
  });
}

function exampleRequest({ call }: TicketingOperation): Record<string, unknown> {
  return { [eventFieldOf(call.event.names)]: exampleIds.event, ...call.example.request };
}

/** The documented one of the names. */
function eventFieldOf(names: readonly string[]): string {
  return names[0] ?? "event_id";
}
