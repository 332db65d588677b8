import { expect, it } from "vitest";
import { loadCheckPackage } from "../../bench/support/check-packages.js";
import { apiDocuments } from "../../src/api-documents.js";
import { loadConfig } from "../../src/config.js";

type Linter = {
  createConfig(options: object): Promise<object>;
  lintFromString(document: object): Promise<{ ruleId: string; message: string; location: { pointer?: string }[] }[]>;
};

it("the OpenAPI document satisfies the recommended rules of a linter", async () => {
  const { createConfig, lintFromString } = await loadCheckPackage<Linter>("@redocly/openapi-core");
  // A removed endpoint always responds with 410.
  const config = await createConfig({ extends: ["recommended"], rules: { "operation-2xx-response": "off" } });
  const source = JSON.stringify(apiDocuments(loadConfig({})).openapi);
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config });
  const found = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`);
  expect(found).toEqual([]);
});
