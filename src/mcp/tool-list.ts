import { LRUCache } from "lru-cache";
import type { OrganizationCaller } from "../access/caller.js";
import { allowlistProblem, deployedTools, isAvailable } from "../runner/availability.js";
import { inputSchemaOf } from "../runner/commit-arguments.js";
import type { Tool } from "../runner/mutation.js";
import { cardUri } from "./preview-card.js";
import type { Era } from "./protocol.js";
import { resultHead } from "./results.js";
import { wireToolOf } from "./wire-tool.js";

type PreparedTool<Services> = SerializedTool & { tool: Tool<Services> };

type SerializedTool = {
  wire: string;
  /** The same for clients that show views: changes have the preview card. */
  wireWithView: string;
};

/** Once per process: tests start many services in one. */
const serializedTools = new WeakMap<Tool, SerializedTool>();

function serializedTool(tool: Tool): SerializedTool {
  const known = serializedTools.get(tool);
  if (known !== undefined) return known;
  const wire = wireToolOf(tool, inputSchemaOf(tool));
  const ui = { resourceUri: cardUri };
  const withView = tool.kind === "mutation" ? { ...wire, _meta: { group: tool.group, ui } } : wire;
  const serialized = { wire: JSON.stringify(wire), wireWithView: JSON.stringify(withView) };
  serializedTools.set(tool, serialized);
  return serialized;
}

export type ToolList<Services> = {
  tools: PreparedTool<Services>[];
  byName: ReadonlyMap<string, PreparedTool<Services>>;
  deployed: ReadonlySet<string>;
  /** Encoded responses to tools/list, by what decides about them. */
  responses: LRUCache<string, Buffer>;
};

/** Callers differ in role, scopes, and whether they host events; the longest response has 77 KB. */
const maximumResponses = 64;

export function prepareTools<Services>(tools: Tool<Services>[], allowlist: string[]): ToolList<Services> {
  const prepared = tools.map((tool) => ({ tool, ...serializedTool(tool) }));
  return {
    tools: prepared,
    byName: new Map(prepared.map((each) => [each.tool.name, each])),
    deployed: deployedTools(tools, allowlist),
    responses: new LRUCache({ max: maximumResponses }),
  };
}

/** What decides which tools a caller has. */
export type ListView = {
  caller: OrganizationCaller;
  hostsEvents: boolean;
  hasOffers: boolean;
  /** Those of the deployment that the client wants; all by default. */
  selected?: ReadonlySet<string> | undefined;
};

/** Short, because a role or a scope may change at any time; every call is checked again in any case. */
const listTtlMs = 60_000;

/** The last fields of a list that depends on the key. */
export const listCacheFields: Record<Era, string> = {
  modern: `,"ttlMs":${listTtlMs},"cacheScope":"private"`,
  legacy: "",
};

export function availableTools<Services>(list: ToolList<Services>, view: ListView): PreparedTool<Services>[] {
  return list.tools.filter(({ tool }) => isListed(list, view, tool));
}

/** Whether this caller has the tool in its list, and so may call it. */
export function isListed<Services>(list: ToolList<Services>, view: ListView, tool: Tool<Services>): boolean {
  return isAvailable(tool, { ...view, deployed: view.selected ?? list.deployed });
}

/** The response to tools/list up to its id: the tools in the order of the registry. */
export function listedTools<Services>(list: ToolList<Services>, era: Era, view: ListView, showsViews = false): Buffer {
  const { caller, hostsEvents, hasOffers, selected = ["*"] } = view;
  const key = [era, showsViews, caller.role, hostsEvents, hasOffers, ...selected, ...caller.scopes].join(" ");
  const known = list.responses.get(key);
  if (known !== undefined) return known;
  const wires = availableTools(list, view).map(({ wire, wireWithView }) => (showsViews ? wireWithView : wire));
  const made = Buffer.from(resultHead(era, `"tools":[${wires.join(",")}]${listCacheFields[era]}`));
  list.responses.set(key, made);
  return made;
}

/**
 * The tools that a client selects with `?tools=`, by group or name, so that a model reads no others. Undefined selects all.
 * What the caller lacks stays hidden.
 */
export function selectedTools<Services>(
  list: ToolList<Services>,
  query: unknown,
): { selected: ReadonlySet<string> | undefined } | { problem: string } {
  const { tools: given = [] } = query as { tools?: string | string[] };
  const entries = [given].flat().flatMap((text) => text.split(",").map((entry) => entry.trim()));
  const named = entries.filter((entry) => entry !== "");
  if (named.length === 0) return { selected: undefined };
  const tools = list.tools.map(({ tool }) => tool);
  const problem = allowlistProblem(tools, named);
  if (problem !== undefined) return { problem: `tools: ${problem}` };
  return { selected: new Set([...deployedTools(tools, named)].filter((name) => list.deployed.has(name))) };
}
