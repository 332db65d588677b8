import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { tools } from "../../src/registry.js";
import { useService } from "../support/setup.js";
import { callTool } from "./messages.js";
import { connectPage as page, runSnippet, snippetsOf } from "./snippets.js";

const { service, make } = useService();
let key: string;

beforeAll(async () => {
  const organization = await make.organization("Snippet Society");
  await make.event(await make.conference(), { hosts: [organization] });
  key = await make.organizationKey(organization);
});

it("TypeScript, current client: lists tools and calls one", async () => {
  const { code, output } = await runSnippet(snippetsOf("ts")[0], { SVC_URL: service.url, SVC_KEY: key });
  expect(code, output).toBe(0);
  for (const { name } of tools) expect(output).toContain(name);
  expect(output).toContain("Snippet Society");
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

it("curl: both revisions work", async () => {
  const commands = snippetsOf("bash").filter((block) => block.startsWith("curl"));
  const responses = await Promise.all(commands.map(sendLikeCurl));
  expect(responses[0].result.structuredContent.organization.name).toBe("Snippet Society");
  expect(responses[1].result.tools).toHaveLength(tools.length);
});

it("configuration files are valid JSON with the endpoint's URL", () => {
  const files = snippetsOf("json").map((text) => JSON.parse(text) as object);
  const configurations = files.filter((file) => "mcpServers" in file || "servers" in file);
  expect(configurations).toHaveLength(4);
  for (const file of configurations) expect(JSON.stringify(file)).toContain("http://localhost:3000/api/mcp");
});

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
async function sendLikeCurl(command: string): Promise<any> {
  const fill = (text: string) => text.replace("$SVC_URL", service.url).replace("$SVC_KEY", key);
  const headers = [...command.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [
    name,
    fill(value),
  ]);
  const url = fill(/^curl "([^"]+)"/.exec(command)?.[1] ?? "");
  const body = /-d '([^']+)'/.exec(command)?.[1] ?? "";
  const response = await fetch(url, { method: "POST", headers: Object.fromEntries(headers), body });
  return response.json();
}
