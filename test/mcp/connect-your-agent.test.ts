import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { blocksOf, readPage } from "../support/doc-blocks.js";
import { useService } from "../support/setup.js";
import { callTool } from "./messages.js";

const pageName = "docs/connect-your-agent.md";
const page = readPage(pageName);

const { service, make } = useService();
let key: string;

beforeAll(async () => {
  const organization = await make.organization("Snippet Society");
  await make.event(await make.conference(), { hosts: [organization] });
  key = await make.organizationKey(organization);
});

it("the results of a preview, a commit and its repetition have the fields that the page names", async () => {
  const fieldsIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort();
  const sentence = (pattern: RegExp) => fieldsIn(pattern.exec(page.replaceAll(/\s+/g, " "))?.[1] ?? "");
  const args = { description: `Evenings about the open web, ${randomUUID()}.` };
  const run = async (given: object) => {
    const { result } = await callTool(service, key, "update_organization_profile", given as Record<string, unknown>);
    // Every result has it: the page says so in its own section.
    const { untrusted_text: mark, ...fields } = result.structuredContent;
    expect(page).toContain(`\`untrusted_text: "${mark}"\``);
    return fields;
  };
  const preview = await run(args);
  const named = sentence(/Nothing is changed yet: the result has ([^.]+)\./);
  expect(Object.keys(preview).sort()).toEqual(["dry_run", ...named].sort());
  const commit = { ...preview.commit_with, reason: "The board agreed on a new text" };
  const committed = await run(commit);
  expect(Object.keys(committed).sort()).toEqual(sentence(/The result has (`dry_run`[^;]+);/));
  expect(committed).toMatchObject({ dry_run: false, after: args });
  expect(await run(commit)).toEqual(committed);
  const nothing = await run({ ...(await run(args)).commit_with, reason: "The same text once more" });
  expect(Object.keys(nothing).sort()).toEqual([...Object.keys(committed), "message"].sort());
});

it("configuration files are valid JSON with the endpoint's URL", () => {
  const files = blocksOf(pageName).flatMap(({ language, code }) => (language === "json" ? [JSON.parse(code)] : []));
  const configurations = files.filter((file) => "mcpServers" in file || "servers" in file);
  expect(configurations).toHaveLength(4);
  for (const file of configurations) expect(JSON.stringify(file)).toContain("http://localhost:3000/api/mcp");
});
