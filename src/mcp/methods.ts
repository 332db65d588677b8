import { type ResourceResults, readResource } from "./preview-card.js";
import {
  agreedRevision,
  type Era,
  isObject,
  modernRevisions,
  type RpcRequest,
  uiExtension,
  viewMimeType,
} from "./protocol.js";
import { fieldsOfJson, serverInfo } from "./results.js";
import { listCacheFields } from "./tool-list.js";

/**
 * What a method returns: the fields of its result as JSON, with what it says of itself if that is more than usual, the
 * encoded response up to its id, or what is wrong with the parameters.
 */
export type Outcome = string | { fields: string; meta: Record<string, unknown> } | Buffer | Invalid;

/** A code other than that of invalid parameters, and data, where the protocol defines them. */
export type Invalid = { invalid: string; code?: number; data?: Record<string, unknown> };

export type MethodCall = {
  message: RpcRequest;
  instructions(): Promise<string>;
  listTools(): Buffer;
  callTool(name: string, args: Record<string, unknown>): Promise<Outcome>;
  listPrompts(): string;
  getPrompt(name: string, args: Record<string, unknown>): Outcome;
  complete(params: Record<string, unknown>): Promise<Outcome>;
  resources: ResourceResults;
};

type Method = (call: MethodCall) => Outcome | Promise<Outcome>;

/** What clients are told that do not show views, and those that do. */
const capabilities = { tools: {}, prompts: {}, resources: {}, completions: {} };
const viewCapabilities = { ...capabilities, extensions: { [uiExtension]: { mimeTypes: [viewMimeType] } } };

function capabilitiesFor({ showsViews }: RpcRequest): object {
  return showsViews ? viewCapabilities : capabilities;
}

const commonMethods: Record<string, Method> = {
  "tools/list": ({ message, listTools }) => onePage(message, listTools),
  "tools/call": ({ message, callTool }) => withNameAndArguments(message, "tool", callTool),
  "prompts/list": ({ message, listPrompts }) => onePage(message, listPrompts),
  "prompts/get": ({ message, getPrompt }) => withNameAndArguments(message, "prompt", getPrompt),
  "completion/complete": ({ message, complete }) => complete(message.params),
  "resources/list": ({ message, resources }) => onePage(message, () => resources.list),
  "resources/templates/list": ({ message, resources }) => onePage(message, () => resources.templates),
  "resources/read": ({ message, resources }) => readResource(resources, message),
};

const modernMethods: Record<string, Method> = {
  async "server/discover"({ message, instructions }) {
    const discovered = { supportedVersions: modernRevisions, capabilities: capabilitiesFor(message) };
    return fieldsOfJson({ ...discovered, instructions: await instructions() }) + listCacheFields.modern;
  },
  ...commonMethods,
};

const legacyMethods: Record<string, Method> = {
  async initialize({ message, instructions }) {
    const protocolVersion = agreedRevision(message.params.protocolVersion);
    const agreed = { protocolVersion, capabilities: capabilitiesFor(message), serverInfo };
    return fieldsOfJson({ ...agreed, instructions: await instructions() });
  },
  ping: () => "",
  ...commonMethods,
};

/** Without a prototype, so that a method name cannot reach inherited properties. */
export const methods: Record<Era, Record<string, Method | undefined>> = {
  modern: Object.assign(Object.create(null), modernMethods),
  legacy: Object.assign(Object.create(null), legacyMethods),
};

function onePage(message: RpcRequest, list: () => string | Buffer): Outcome {
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
