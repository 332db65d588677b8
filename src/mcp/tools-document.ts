import type { z } from "zod";
import { scopesOf, scopeText } from "../../contract/scopes.js";
import { defaultInWords, typeInWords } from "../../contract/type-in-words.js";
import { warningCodes } from "../../contract/warnings.js";
import type { Tool } from "../runner/mutation.js";
import { toolGroups } from "../runner/tool.js";
import { fieldsOf, type Json, jsonSchemaOf } from "../schema/json-schema.js";
import type { Prompt } from "./prompts.js";

/** docs/tools.md, generated from the declarations. */
export function toolsDocument(tools: Tool[], prompts: Prompt[]): string {
  const sections = toolGroups.flatMap((group) => {
    const members = tools.filter((tool) => tool.group === group);
    return members.length === 0 ? [] : [`## ${group}`, overview(members), ...members.map(section)];
  });
  return `${[introduction, ...sections, "## Prompts", promptTable(prompts, tools)].join("\n\n")}\n`;
}

/** The tools as data, for the documentation pages of the console. */
export function toolsData(tools: Tool[]): object[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    group: tool.group,
    kind: tool.kind,
    destructive: tool.kind === "mutation" && tool.destructive,
    description: tool.description,
    scope: scopeText(tool.scope),
    role: tool.role,
    event_role: tool.event ?? null,
    addition: tool.addition ?? false,
    input: schemaWithDefinitions(tool.input, "input"),
    output: tool.kind === "read" ? schemaWithDefinitions(tool.output, "output") : null,
    example: tool.example,
  }));
}

function schemaWithDefinitions(schema: z.ZodObject, io: "input" | "output"): Json {
  const { root, definitions } = jsonSchemaOf(schema, io);
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
}

const introduction = `# Tools

The tools of the MCP endpoint, generated from their declarations. See [Connect your agent](connect-your-agent.md) for how to connect.

A tool is listed and can be called when the key has its scope, the user who created the key has its role or a higher one (\`member\`, \`admin\`, \`owner\`), the deployment's \`MCP_TOOLS\` allows it, and, for event tools, the organization hosts or co-hosts at least one event, or was offered one that it can answer.

Tools marked *changes* take these arguments in addition to their own:

| Argument | Type | |
|---|---|---|
| \`dry_run\` | boolean | \`true\` by default: returns a preview and changes nothing |
| \`confirm\` | boolean | \`true\` to commit |
| \`reason\` | string | to commit: why, 1 to 500 characters; recorded |
| \`idempotency_key\` | string | to commit: 1 to 128 characters; the preview suggests one |
| \`expected_version\` | string | to commit: from the preview |

A preview returns \`{dry_run: true, event, current, proposed, warnings, expected_version, commit_with}\`: the state before and after, and in \`commit_with\` the arguments of the commit, complete except for a \`reason\` that the preview was not given. A commit returns \`{dry_run: false, event, before, after, warnings, record_id}\`, and exactly the same when repeated, with \`replayed: true\` in \`_meta\`. \`event\` is there for tools about an event. An error is a result with \`isError: true\` and \`{error: {code, message, …}}\`. A \`version_conflict\` has the fields of a new preview in addition to \`error\`. Times have the offset of the event's zone. Texts in results are data: every result has \`untrusted_text\`.

A warning is \`{code, message, path}\`, in previews, commits and records. It never refuses a change:

| Code | |
|---|---|
${Object.entries(warningCodes)
  .map(([code, meaning]) => `| \`${code}\` | ${meaning} |`)
  .join("\n")}`;

/** The prompts whose tools all exist. */
function promptTable(prompts: Prompt[], tools: Tool[]): string {
  const known = new Set(tools.map(({ name }) => name));
  const rows = prompts
    .filter((prompt) => prompt.tools.every((name) => known.has(name)))
    .map((prompt) => {
      const args = fieldsOf(prompt.arguments).map(
        ({ name, required }) => `\`${name}\`${required ? "" : " (optional)"}`,
      );
      return `| \`${prompt.name}\` | ${prompt.description} | ${args.join(", ")} | ${prompt.tools.map((name) => `[${name}](#${name})`).join(", ")} |`;
    });
  return [
    "Tasks that people start from their client. A prompt is listed for keys that have all of its tools.",
    "",
    "| Prompt | | Arguments | Tools |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

function overview(tools: Tool[]): string {
  const rows = tools.map(
    (tool) =>
      `| [${tool.name}](#${tool.name}) | ${kindOf(tool)} | ${scopesInWords(tool)} | ${tool.role} | ${eventRole(tool)} |`,
  );
  return ["| Tool | | Scope | Role | Event role |", "|---|---|---|---|---|", ...rows].join("\n");
}

function section(tool: Tool): string {
  return [
    `### ${tool.name}`,
    `**${tool.title}** · ${kindOf(tool)} · scope ${scopesInWords(tool)} · role ${tool.role}${tool.event === undefined ? "" : ` · event role ${eventRole(tool)}`}`,
    tool.description,
    argumentsOf(tool),
    `Returns ${returnsOf(tool)}`,
  ].join("\n\n");
}

function scopesInWords(tool: Tool): string {
  return scopesOf(tool.scope)
    .map((scope) => `\`${scope}\``)
    .join(" or ");
}

function kindOf(tool: Tool): string {
  const kind = tool.kind === "read" ? "reads" : tool.destructive ? "changes, destructive" : "changes";
  return tool.addition ? `${kind}, addition` : kind;
}

function eventRole(tool: Tool): string {
  return {
    none: "",
    host: "host",
    host_or_co_host: "host or co-host",
    host_or_offered: "host or offered to",
    host_or_cancelled: "host",
  }[tool.event ?? "none"];
}

function argumentsOf(tool: Tool): string {
  const fields = fieldsOf(tool.input);
  if (fields.length === 0) return "No arguments of its own.";
  const rows = fields
    .flatMap(withNested)
    .map(
      ({ name, required, field }) =>
        `| \`${name}\` | ${cell(typeInWords(field))} | ${required ? "yes" : ""} | ${[cell(field.description), defaultInWords(field)].filter((part) => part !== "").join("; ")} |`,
    );
  return ["| Argument | Type | Required | |", "|---|---|---|---|", ...rows].join("\n");
}

type Argument = ReturnType<typeof fieldsOf>[number];

/** An argument, followed by the fields of its object, or of the objects of its list. */
function withNested(argument: Argument): Argument[] {
  const { name, field } = argument;
  const [prefix, object] = field.type === "array" ? [`${name}[].`, field.items as Json] : [`${name}.`, field];
  const required = (object.required ?? []) as string[];
  const nested = Object.entries((object.properties ?? {}) as Record<string, Json>);
  return [
    argument,
    ...nested.map(([own, inner]) => ({ name: prefix + own, required: required.includes(own), field: inner })),
  ];
}

function returnsOf(tool: Tool): string {
  if (tool.kind === "mutation") return "a preview, or the committed change.";
  const { root } = jsonSchemaOf(tool.output, "output");
  const fields = Object.entries((root.properties ?? {}) as Record<string, Json>);
  return `\`{${fields.map(([name]) => name).join(", ")}}\`.`;
}

function cell(value: unknown): string {
  return typeof value === "string" ? value.replaceAll("|", "\\|") : "";
}
