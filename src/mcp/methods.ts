import { instructions } from "./instructions.js";
import { type PreparedResult, prepareResult } from "./prepared-result.js";
import { agreedRevision, type Era, isObject, legacyRevisions, modernRevisions, type RpcRequest } from "./protocol.js";
import { fieldsOfJson, serverInfo } from "./results.js";

/** What a method returns: the fields of its result as JSON, a prepared result, or what is wrong with the parameters. */
export type Outcome = string | PreparedResult | { invalid: string };

export type MethodCall = {
  message: RpcRequest;
  listTools(): PreparedResult;
  callTool(name: string, args: Record<string, unknown>): Promise<Outcome>;
  listPrompts(): PreparedResult;
  getPrompt(name: string, args: Record<string, unknown>): Outcome;
};

type Method = (call: MethodCall) => Outcome | Promise<Outcome>;

const capabilities = { tools: {}, prompts: {} };
const discoverTtlMs = 3_600_000;

const discovered = prepareResult(
  "modern",
  fieldsOfJson({
    ...{ supportedVersions: modernRevisions, capabilities, instructions },
    ...{ ttlMs: discoverTtlMs, cacheScope: "public" },
  }),
);

const initialized = new Map(
  legacyRevisions.map((protocolVersion) => [
    protocolVersion,
    prepareResult("legacy", fieldsOfJson({ protocolVersion, capabilities, serverInfo, instructions })),
  ]),
);

const commonMethods: Record<string, Method> = {
  "tools/list": ({ message, listTools }) => onePage(message, listTools),
  "tools/call": ({ message, callTool }) => withNameAndArguments(message, "tool", callTool),
  "prompts/list": ({ message, listPrompts }) => onePage(message, listPrompts),
  "prompts/get": ({ message, getPrompt }) => withNameAndArguments(message, "prompt", getPrompt),
};

const modernMethods: Record<string, Method> = {
  "server/discover": () => discovered,
  ...commonMethods,
};

const legacyMethods: Record<string, Method> = {
  initialize({ message }) {
    const revision = agreedRevision(message.params.protocolVersion);
    const result = initialized.get(revision);
    if (result === undefined) throw new Error(`no result of initialize is prepared for ${revision}`);
    return result;
  },
  ping: () => "",
  ...commonMethods,
};

/** Without a prototype, so that a method name cannot reach inherited properties. */
export const methods: Record<Era, Record<string, Method | undefined>> = {
  modern: Object.assign(Object.create(null), modernMethods),
  legacy: Object.assign(Object.create(null), legacyMethods),
};

function onePage(message: RpcRequest, list: () => PreparedResult): Outcome {
  return message.params.cursor ? { invalid: "cursor: the list has one page and takes no cursor" } : list();
}

function withNameAndArguments(
  message: RpcRequest,
  kind: "tool" | "prompt",
  call: (name: string, args: Record<string, unknown>) => Outcome | Promise<Outcome>,
): Outcome | Promise<Outcome> {
  const { name, arguments: args } = message.params;
  if (typeof name !== "string") return { invalid: `name: expected the name of a ${kind}` };
  if (args === undefined || args === null) return call(name, {});
  return isObject(args) ? call(name, args) : { invalid: "arguments: expected an object" };
}
