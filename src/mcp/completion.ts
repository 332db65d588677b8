import type { Outcome } from "./methods.js";
import { availablePrompts, type PromptList } from "./prompt-list.js";
import { isObject, quote } from "./protocol.js";
import { fieldsOfJson } from "./results.js";
import type { ListView, ToolList } from "./tool-list.js";

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
