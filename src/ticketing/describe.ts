import { documentedErrors } from "../platform/errors.js";
import { type TicketingOperation, ticketingMethods, ticketingOperations, ticketingPrefix } from "./operations.js";

/** The proxy's part of the API description at GET /api/svc. */
export function describeTicketing(baseUrl: string, limit: number) {
  return {
    address: `${baseUrl}${ticketingPrefix}/{upstream-path}`,
    methods: ticketingMethods,
    key_tier: "organization",
    event_ids:
      "give the event's UUID in the field that the path names; the proxy replaces it with the event's id on the ticketing platform; the key's organization must host or co-host the event",
    paths: ticketingOperations.map(({ method, path, call }) => ({
      method,
      path,
      summary: call.summary,
      scope: call.scope,
      role: call.role,
      event_id_in: method === "GET" ? "query" : method === "DELETE" ? "query or body" : "body",
      event_id_names: call.event.names,
      parameters: call.parameters,
    })),
    errors: documentedErrors("ticketing").map(({ status, code, condition }) => ({ status, code, condition })),
    limit: { requests: limit, per: "organization", paths: `${ticketingPrefix}/*` },
  };
}

/** The proxy's paths in the OpenAPI document. */
export function ticketingPaths(error: object): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of ticketingOperations) {
    const { method, path } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(operation, error) };
  }
  return paths;
}

function describeOperation({ method, subpath, call }: TicketingOperation, error: object): object {
  const [eventField, ...otherNames] = call.event.names;
  const inQuery = method === "GET" || method === "DELETE";
  const names = inQuery ? [eventField, ...call.parameters.filter((name) => name !== eventField)] : [];
  return {
    operationId: `${method.toLowerCase()}_ticketing_${subpath.replace(/[^a-z]+/g, "_")}`,
    summary: call.summary,
    description: `Give the event's UUID as ${eventField}${otherNames.map((name) => ` or ${name}`).join("")}.`,
    "x-scope": call.scope,
    "x-role": call.role,
    parameters: names.map((name) => ({
      name,
      in: "query",
      required: name === eventField,
      schema: { type: "string" },
    })),
    ...(inQuery
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: { type: "object" } } } } }),
    responses: {
      200: {
        description: "The platform's response, unchanged",
        content: { "application/json": { schema: { type: "object" } } },
      },
      ...Object.fromEntries(
        documentedErrors("ticketing")
          .filter(({ documentedOn }) => documentedOn !== "with body" || method !== "GET")
          .map(({ status, condition }) => [status, { description: condition, ...error }]),
      ),
    },
  };
}
