import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { describe, expect, it } from "vitest";
import { buildDemoDocument } from "../../demo/build-document.js";
import { readDemoContent } from "../../demo/content.js";
import { apiDocuments } from "../../src/api-documents.js";
import { loadConfig } from "../../src/config.js";
import { routes, tools } from "../../src/registry.js";
import { inputSchemaOf } from "../../src/runner/commit-arguments.js";
import { exampleIds } from "../../src/schema/examples.js";

/** Examples of the documents are valid, and name rows of the demo data, so that they work on a fresh installation. */

type Content = Record<string, { schema: object; example?: unknown }>;
type Operation = {
  operationId: string;
  parameters?: { name: string; schema: object; required: boolean; in: string; example?: unknown }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};

const document = apiDocuments(loadConfig({})).openapi as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const schemas = new AjvJsonSchemaValidator();

/** Problems of a value with a schema of the document, as JSON Schema sees them. */
function problems(schema: object, value: unknown): string | undefined {
  const definitions = JSON.parse(
    JSON.stringify(document.components.schemas).replaceAll("#/components/schemas/", "#/$defs/"),
  );
  const root = JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/"));
  return schemas.getValidator({ ...root, $defs: definitions })(value).errorMessage;
}

describe("the examples of the OpenAPI document", () => {
  it("exist for every JSON response and every body", () => {
    const without = operations.filter(({ responses, requestBody }) => {
      const contents = [responses[200]?.content, requestBody?.content].map((content) => content?.["application/json"]);
      return contents.some((content) => content !== undefined && content.example === undefined);
    });
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  it.each(operations)("$operationId: satisfy the schemas", ({ responses, requestBody, parameters = [] }) => {
    for (const content of [responses[200]?.content, requestBody?.content]) {
      const json = content?.["application/json"];
      if (json?.example !== undefined) expect(problems(json.schema, json.example)).toBeUndefined();
    }
    for (const { name, schema, example } of parameters) {
      if (example !== undefined) expect(problems(schema, example), name).toBeUndefined();
    }
  });

  it.each(routes)("$operationId: are accepted and produced by the declared schemas", (route) => {
    const { params, query, body, response } = route.examples;
    route.params?.parse(params);
    route.query?.parse(query ?? {});
    route.body?.parse(body);
    if (response !== undefined) route.response.parse(response);
  });
});

describe("the examples of tools", () => {
  it.each(tools)("$name: are valid arguments", (tool) => {
    expect(tool.example).toBeDefined();
    expect(inputSchemaOf(tool).safeParse(tool.example).error).toBeUndefined();
  });
});

describe("the ids of examples", () => {
  const demo = buildDemoDocument({ baseUrl: "", now: new Date(), content: readDemoContent() });
  const event = demo.events.find(({ id }) => id === exampleIds.event);
  const ofEvent = (rows: { id?: string | undefined; event: string }[]) =>
    rows.filter((row) => row.event === exampleIds.event).map(({ id }) => id);

  it("are those of the demo's first event and what belongs to it", () => {
    const conference = demo.conferences.find(({ slug }) => slug === event?.conference);
    expect(conference?.id).toBe(exampleIds.conference);
    const slugOf = (id: string) => demo.organizations.find((organization) => organization.id === id)?.slug;
    expect(event?.hosts).toEqual([
      { organization: slugOf(exampleIds.organization), role: "host" },
      { organization: slugOf(exampleIds.cohost), role: "co_host" },
    ]);
    expect(slugOf(exampleIds.otherOrganization)).toBeDefined();
    expect(ofEvent(demo.speakers)).toEqual(exampleIds.speakers);
    expect(ofEvent(demo.segments)).toEqual(exampleIds.segments);
    expect(ofEvent(demo.posters)).toEqual(expect.arrayContaining([exampleIds.poster]));
  });

  it("name registrations in the states that their tools expect", () => {
    const statusOf = (id: string) =>
      demo.registrations.find((row) => row.id === id && row.event === exampleIds.event)?.status;
    expect(statusOf(exampleIds.pendingRegistration)).toBe("pending");
    expect(statusOf(exampleIds.approvedRegistration)).toBe("approved");
    expect(statusOf(exampleIds.declinedRegistration)).toBe("declined");
  });
});
