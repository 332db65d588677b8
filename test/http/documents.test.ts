import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { scopeGrants } from "../../contract/scopes.js";
import { tiers } from "../../src/access/caller.js";
import { apiDocuments } from "../../src/api-documents.js";
import { loadConfig } from "../../src/config.js";
import { mcpPath, removedEndpoints, routes, ticketingOperations } from "../../src/registry.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";

type Operation = {
  operationId: string;
  tags: string[];
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, { headers?: object }>;
};

type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, { headers?: object }> };
};

/** With what operations refer to in its place. */
const operationsOf = ({ paths, components }: Document) =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => {
      const responses = Object.entries(operation.responses).map(([status, response]) => {
        const name = "$ref" in response ? String(response.$ref).replace("#/components/responses/", "") : undefined;
        return [status, name === undefined ? response : components.responses[name]];
      });
      return { ...operation, responses: Object.fromEntries(responses) as Operation["responses"] };
    });

/** The two documents that describe the service are derived from its declarations and must be complete. */

const { service } = useService(() => startService({ limits: { rest: 61, ticketing: 31, mcp: 121 } }));

const braces = (path: string) => path.replace(/:(\w+)/g, "{$1}").replace("*", "{path}");
const inputs = (route: (typeof routes)[number]) => ({
  parameters: [...Object.keys(route.params?.shape ?? {}), ...Object.keys(route.query?.shape ?? {})].sort(),
  body: route.body === undefined ? null : Object.keys(route.body.shape),
});

describe("GET /api/svc", () => {
  const getDescription = async () => (await service.call("/api/svc")).json;

  it("needs no key and has exactly the specified fields", async () => {
    const document = await getDescription();
    expect(Object.keys(document).sort()).toEqual(
      [
        ...["authentication", "base_url", "description", "documentation_url", "endpoints", "errors", "limits", "mcp"],
        ...["error_body", "name", "openapi_url", "removed_endpoints", "schemas", "ticketing", "version", "workflow"],
      ].sort(),
    );
    expect(document).toMatchObject({ version: "5", base_url: "https://svc.test" });
  });

  it("lists every endpoint with its scope and its inputs", async () => {
    const { endpoints } = await getDescription();
    const listed = endpoints.map((endpoint: Record<string, unknown>) => ({
      method: endpoint.method,
      path: endpoint.path,
      authentication: endpoint.authentication,
      scope: endpoint.scope,
      parameters: (endpoint.parameters as { name: string }[]).map(({ name }) => name).sort(),
      body: (endpoint.body as { name: string }[] | null)?.map(({ name }) => name) ?? null,
    }));
    const declared = routes.map((route) => ({
      method: route.method,
      path: braces(route.path),
      authentication: route.access === "key",
      scope: route.access === "key" && route.scope !== null ? [route.scope].flat().join(" or ") : null,
      ...inputs(route),
    }));
    expect(listed).toEqual(declared);
  });

  it("lists every removed endpoint with its successor", async () => {
    const { removed_endpoints } = await getDescription();
    expect(removed_endpoints).toEqual(
      removedEndpoints.map(({ path, successor }) => ({
        path: braces(path),
        status: 410,
        use_instead: braces(successor),
      })),
    );
  });

  it("lists every scope, tier and configured limit", async () => {
    const { authentication, limits } = await getDescription();
    expect(authentication.scopes.map(({ scope }: { scope: string }) => scope)).toEqual(Object.keys(scopeGrants));
    expect(authentication.tiers.map(({ tier }: { tier: string }) => tier)).toEqual(Object.keys(tiers));
    expect(authentication.organization_key_lifetime_days).toBe(90);
    expect(limits).toMatchObject({
      window_seconds: 60,
      rest: { requests: 61 },
      ticketing: { requests: 31 },
      mcp: { requests: 121 },
      page_size: { default: 50, maximum: 200 },
    });
  });

  it("lists every error status", async () => {
    const { errors } = await getDescription();
    const statuses = errors.map(({ status }: { status: number }) => status);
    expect(statuses).toEqual(expect.arrayContaining([400, 401, 403, 404, 405, 410, 412, 413, 415, 429, 500]));
  });

  it("says where to read on, and who creates keys where", async () => {
    const { documentation_url, openapi_url, authentication } = await getDescription();
    expect(documentation_url).toBe("https://svc.test/docs");
    expect((await service.call(openapi_url.replace("https://svc.test", ""))).status).toBe(200);
    const pages = authentication.tiers.map(({ tier, created_at_url }: Record<string, string>) => [
      tier,
      created_at_url,
    ]);
    expect(pages).toEqual([
      ["super-admin", "https://svc.test/admin/keys"],
      ["conference", "https://svc.test/admin/keys"],
      ["organization", "https://svc.test/o/{organization}/settings/keys"],
    ]);
  });

  it("describes the error body, every response and every ticketing body with schemas that it contains", async () => {
    const document = await getDescription();
    const { endpoints, ticketing, error_body, schemas } = document;
    expect(error_body.schema.required).toEqual(["error", "code", "request_id"]);
    for (const { path, response } of endpoints) {
      const isFile = path === "/images/{file}";
      expect(response, path).toMatchObject(isFile ? { content_type: "image/*" } : { schema: {}, example: {} });
    }
    for (const { method, path, body, response } of ticketing.paths) {
      expect(response, path).toMatchObject({ schema: {}, example: {} });
      const takesBody = ["POST", "PUT", "PATCH"].includes(method);
      expect(body === null, `${method} ${path}`).toBe(!takesBody);
      if (takesBody) expect(body.schema.required, path).toContain(body.schema.properties.event_id && "event_id");
    }
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map((match) => match[1] ?? "");
    expect(references.length).toBeGreaterThan(5);
    const names = Object.keys(schemas).map((name) => `#/schemas/${name}`);
    expect(references.filter((reference) => !names.includes(reference))).toEqual([]);
  });
});

describe("GET /openapi.json", () => {
  it("needs no key and describes version 5 in OpenAPI 3.1", async () => {
    const { json } = await service.call("/openapi.json");
    expect(json).toMatchObject({ openapi: "3.1.0", info: { version: "5" }, servers: [{ url: "https://svc.test" }] });
    expect(json.info.description).toContain("61");
  });

  it("lists every endpoint with its inputs, and every removed one", async () => {
    const { paths } = (await service.call("/openapi.json")).json;
    for (const route of routes) {
      const operation = paths[braces(route.path)]?.[route.method.toLowerCase()];
      expect(operation, `${route.method} ${route.path}`).toBeDefined();
      const names = operation.parameters
        .filter((parameter: { in: string }) => parameter.in !== "header")
        .map(({ name }: { name: string }) => name)
        .sort();
      expect(names).toEqual(inputs(route).parameters);
      expect(operation.requestBody === undefined).toBe(route.body === undefined);
      expect(operation.security).toEqual(route.access === "public" ? [] : undefined);
    }
    for (const { path } of removedEndpoints) {
      expect(paths[braces(path)].get).toMatchObject({ deprecated: true, responses: { 410: {} } });
    }
    const declared = [...routes, ...removedEndpoints].map(({ path }) => braces(path));
    const proxied = ticketingOperations.luma.map(({ path }) => path);
    expect(new Set(Object.keys(paths))).toEqual(new Set([...declared, ...proxied, mcpPath]));
  });

  it("names every operation once, readably, and puts it under a described tag", async () => {
    const document = (await service.call("/openapi.json")).json;
    const operations = operationsOf(document);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z]+([A-Z][a-z]*)*$/.test(id))).toEqual([]);
    expect(ids).toEqual(
      expect.arrayContaining(["listConferenceEvents", "reportPostedUrls", "createCoupon", "callMcp"]),
    );
    const described = document.tags.map(({ name }: { name: string }) => name);
    expect(new Set(operations.flatMap((operation) => operation.tags))).toEqual(new Set(described));
  });

  it("documents conditional requests, waiting times and the default limit", async () => {
    const document = (await service.call("/openapi.json")).json;
    const headersOf = (operation: Operation) =>
      operation.parameters?.filter((parameter) => parameter.in === "header").map(({ name }) => name);
    expect(headersOf(document.paths["/api/svc/posters/{id}"].get)).toEqual(["If-None-Match"]);
    expect(headersOf(document.paths["/api/svc/posters/{id}"].patch)).toEqual(["If-Match"]);
    const limit = document.paths["/api/svc/posters"].get.parameters.find(
      ({ name }: { name: string }) => name === "limit",
    );
    expect(limit.schema).toMatchObject({ type: "integer", default: 50 });
    for (const { operationId, responses } of operationsOf(document)) {
      for (const status of ["429", "503"].filter((status) => status in responses)) {
        expect(responses[status]?.headers, `${operationId} ${status}`).toHaveProperty("Retry-After");
      }
    }
    for (const { operationId, requestBody, responses } of operationsOf(document)) {
      if (requestBody !== undefined)
        expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(["413", "415"]));
    }
  });

  it("has pages, and errors that several operations have, once", async () => {
    const { paths, components } = (await service.call("/openapi.json")).json;
    const page = { $ref: "#/components/schemas/PosterPage" };
    for (const path of ["/api/svc/posters", "/api/svc/events/{id}/posters"]) {
      expect(paths[path].get.responses[200].content["application/json"].schema).toEqual(page);
      expect(paths[path].get.responses[401]).toEqual({ $ref: "#/components/responses/Unauthorized" });
    }
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(["ConferencePage", "EventSummaryPage", "PosterPage", "Pagination"]),
    );
    expect(components.responses.Unauthorized.content["application/json"].schema.$ref).toBe(
      "#/components/schemas/Error",
    );
    const inline = Object.values<Record<string, Operation>>(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.values(responses).filter((response) => "x-code" in response))
      .map((response) => JSON.stringify(response));
    expect(inline).toHaveLength(new Set(inline).size);
    expect(paths["/images/{file}"].get.responses).toMatchObject({
      404: { $ref: "#/components/responses/NotFound", description: expect.stringContaining("Image not found") },
      503: { $ref: "#/components/responses/Unavailable", description: expect.stringContaining("images") },
    });
    const { responses } = paths["/api/mcp"].post;
    for (const status of ["200", "400", "503"]) {
      const { schema } = responses[status].content["application/json"];
      expect(schema).toEqual({ $ref: "#/components/schemas/JsonRpcResponse" });
    }
  });
});

describe("docs/openapi.json", () => {
  it("is up to date: run `npm run docs`", async () => {
    const committed = await readFile(new URL("../../docs/openapi.json", import.meta.url), "utf8");
    expect(JSON.parse(committed)).toEqual(JSON.parse(JSON.stringify(apiDocuments(loadConfig({})).openapi)));
  });
});
