import { ServiceError } from "../../contract/errors.js";
import type { OrganizationCaller } from "../access/caller.js";
import { parseArguments } from "../runner/commit-arguments.js";
import { fieldsOf } from "../schema/json-schema.js";
import type { Outcome } from "./methods.js";
import type { Prompt } from "./prompts.js";
import { type Era, isObject, quote } from "./protocol.js";
import { fieldsOfJson } from "./results.js";
import { availableTools, type ListView, listCacheFields, type ToolList } from "./tool-list.js";

/** Suggests values of an argument, the likely ones first. */
export type Completer = (caller: OrganizationCaller, value: string) => Promise<string[]>;

export type PromptList = {
  /** By the name of the argument, which means the same in every prompt. */
  completers: ReadonlyMap<string, Completer>;
  prompts: { prompt: Prompt; wire: string }[];
};

/** Serializes the prompts once. */
export function preparePrompts(prompts: Prompt[], completers: Record<string, Completer> = {}): PromptList {
  return {
    completers: new Map(Object.entries(completers)),
    prompts: prompts.map((prompt) => ({ prompt, wire: JSON.stringify(wirePromptOf(prompt)) })),
  };
}

/** The result of prompts/list as fields: the prompts whose tools are all available. */
export function listedPrompts<Services>(list: PromptList, tools: ToolList<Services>, era: Era, view: ListView): string {
  const wires = availablePrompts(list, tools, view).map(({ wire }) => wire);
  return `"prompts":[${wires.join(",")}]${listCacheFields[era]}`;
}

/** The result of prompts/get as fields. */
export function promptResult<Services>(
  list: PromptList,
  tools: ToolList<Services>,
  view: ListView,
  name: string,
  args: Record<string, unknown>,
): string | { invalid: string } {
  const found = availablePrompts(list, tools, view).find(({ prompt }) => prompt.name === name);
  if (found === undefined) return { invalid: `Unknown prompt: ${quote(name).slice(1, -1)}` };
  const { prompt } = found;
  // Forms of clients send empty texts for what was left out.
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== ""));
  try {
    const text = prompt.text(parseArguments(prompt.arguments, given) as Record<string, string>);
    const messages = [{ role: "user", content: { type: "text", text } }];
    return fieldsOfJson({ description: prompt.description, messages });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { invalid: `${error.message}. ${usageOf(prompt)}` };
  }
}

function availablePrompts<Services>(list: PromptList, tools: ToolList<Services>, view: ListView) {
  const available = new Set(availableTools(tools, view).map(({ tool }) => tool.name));
  return list.prompts.filter(({ prompt }) => prompt.tools.every((name) => available.has(name)));
}

function wirePromptOf({ name, title, description, arguments: schema }: Prompt): object {
  return { name, title, description, arguments: argumentsOf(schema) };
}

function argumentsOf(schema: Prompt["arguments"]) {
  return fieldsOf(schema).map(({ name, required, field }) => ({ name, description: field.description, required }));
}

/** What a prompt takes, for an error message. */
function usageOf({ name, arguments: schema }: Prompt): string {
  const each = argumentsOf(schema).map(
    ({ name: argument, description, required }) =>
      `${argument} (${required ? "required" : "optional"}: ${description})`,
  );
  return `${name} takes ${each.join(", ")}; all are texts`;
}

const maximumValues = 100;

/** The result of completion/complete: values for an argument of a prompt that the caller has. */
export async function completionResult<Services>(
  list: PromptList,
  tools: ToolList<Services>,
  view: ListView,
  { ref, argument }: Record<string, unknown>,
): Promise<Outcome> {
  if (!isObject(ref) || ref.type !== "ref/prompt" || typeof ref.name !== "string") {
    return { invalid: 'ref: expected {"type": "ref/prompt", "name": …}; only arguments of prompts are completed' };
  }
  if (!isObject(argument) || typeof argument.name !== "string" || typeof argument.value !== "string") {
    return { invalid: "argument: expected its name and value, both texts" };
  }
  const found = availablePrompts(list, tools, view).find(({ prompt }) => prompt.name === ref.name);
  if (found === undefined) return { invalid: `Unknown prompt: ${quote(ref.name).slice(1, -1)}` };
  const names = Object.keys(found.prompt.arguments.shape);
  if (!names.includes(argument.name)) {
    return { invalid: `argument.name: ${ref.name} has no such argument; expected one of ${names.join(", ")}` };
  }
  const complete = list.completers.get(argument.name);
  const suggested = complete === undefined ? [] : await complete(view.caller, argument.value.slice(0, longestValue));
  const values = suggested.slice(0, maximumValues);
  return fieldsOfJson({ completion: { values, hasMore: suggested.length > values.length } });
}

/** As long as the longest argument that is completed. */
const longestValue = 200;
