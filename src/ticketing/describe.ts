import { type Operation, operations, proxyMethods } from "./operations.js";

/** The proxy as the API description tells it, from the table that it runs by. */
export function describeTicketing(baseUrl: string, limit: number) {
  return {
    address: `${baseUrl}/api/ticketing/{upstream-path}`,
    methods: proxyMethods,
    key_tier: "organization",
    event_ids:
      "an event's uuid, in the field that the path names, is swapped for the event's id on the ticketing platform; the key's organization has to host or co-host the event",
    paths: operations.map(({ method, path, call }) => ({
      method,
      path: `/api/ticketing/${path}`,
      summary: call.summary,
      scope: call.scope,
      event_id_in: method === "GET" ? "query" : method === "DELETE" ? "query or body" : "body",
      event_id_names: call.event.names,
      parameters: call.parameters,
    })),
    errors: [
      {
        status: 403,
        condition: "not an organization key, scope missing, or the event is not hosted by the organization",
      },
      { status: 404, condition: "no such path, event or ticket type of the event" },
      { status: 409, condition: "the event is not linked to the ticketing platform" },
      { status: 502, condition: "the ticketing platform cannot be reached, or refuses the service" },
      {
        status: 503,
        condition: "no ticketing platform is configured, or too many requests are under way (Retry-After)",
      },
      { status: 504, condition: "the ticketing platform did not answer in time" },
    ],
    limit: { requests: limit, per: "organization", paths: "/api/ticketing/*" },
  };
}

/** The same as paths of an OpenAPI document. What the platform answers is passed on as it is. */
export function ticketingPaths(error: object): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = `/api/ticketing/${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation, error) };
  }
  return paths;
}

function describeOperation({ method, path, call }: Operation, error: object): object {
  const [eventField, ...otherNames] = call.event.names;
  const inQuery = method === "GET" || method === "DELETE";
  const names = inQuery ? [eventField, ...call.parameters.filter((name) => name !== eventField)] : [];
  return {
    operationId: `${method.toLowerCase()}_ticketing_${path.replace(/[^a-z]+/g, "_")}`,
    summary: call.summary,
    description: `The event's uuid goes into ${eventField}${otherNames.map((name) => ` or ${name}`).join("")}.`,
    "x-scope": call.scope,
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
      200: { description: "the platform's answer", content: { "application/json": { schema: { type: "object" } } } },
      ...Object.fromEntries(
        [400, 401, 403, 404, 409, 429, 502, 503, 504].map((status) => [status, { description: "refused", ...error }]),
      ),
    },
  };
}
