import { operations, proxyMethods } from "./operations.js";

/** The proxy as the API description tells it, from the table that it runs by. */
export function describeTicketing(baseUrl: string, limit: number): object {
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
    limit: { requests: limit, per: "organization", paths: "/api/ticketing/*" },
  };
}
