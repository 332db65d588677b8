import type { z } from "zod";
import { ServiceError } from "../../contract/errors.js";
import { roleAtLeast } from "../../contract/roles.js";
import { lacksRole } from "../access/session.js";
import {
  type ConsoleResponse,
  type ConsoleRoute,
  type ContextOf,
  consoleJson,
  defineConsoleRoute,
} from "../console-route.js";
import { inputSchemaOf, toolBodyLimitBytes } from "../runner/commit-arguments.js";
import type { PlatformTool, RunnableMutation, Tool } from "../runner/mutation.js";
import { callTool, replayTool, type ToolDependencies, toolForCall } from "../runner/run.js";
import type { ReadTool } from "../runner/tool.js";

/** What the tools reach besides the database. */
export type ToolRouteServices<Services> = { tools: Services };

/** The one way in which the console changes data: the tools of MCP and its own, run by the same runner. */
export function toolRoutes<Services>(
  organizationTools: Tool<Services>[],
  platformTools: PlatformTool<Services>[],
): ConsoleRoute<ToolRouteServices<Services>>[] {
  const forOrganizations = byName(organizationTools);
  const forPlatform = byName(platformTools);
  return [
    defineConsoleRoute("runTool", {
      access: "member",
      bodyLimitBytes: toolBodyLimitBytes,
      async handle(context: ContextOf<"member", ToolRouteServices<Services>>, { params, query, body }) {
        const found = getTool(forOrganizations, params.tool);
        const { role } = context.caller;
        if (roleAtLeast(role, found.tool.role)) return run(context, found, body, query.part_of);
        const replay = await replayTool(dependenciesOf(context), { ...found, caller: context.caller, args: body });
        if (replay === undefined) throw lacksRole(found.tool.role, role);
        return consoleJson(replay);
      },
    }),
    defineConsoleRoute("runAdminTool", {
      access: "platform_admin",
      bodyLimitBytes: toolBodyLimitBytes,
      handle: (context: ContextOf<"platform_admin", ToolRouteServices<Services>>, { params, body }) =>
        run(context, getTool(forPlatform, params.tool), body),
    }),
  ];
}

type Callable<Kind> = { tool: Kind; schema: z.ZodObject };

type ToolContext<Services> = ContextOf<"member" | "platform_admin", ToolRouteServices<Services>>;

async function run<Services>(
  context: ToolContext<Services>,
  { tool, schema }: Callable<ReadTool | RunnableMutation<Services>>,
  args: Record<string, unknown>,
  partOf?: string,
): Promise<ConsoleResponse> {
  const { caller, request } = context;
  const call = { tool: toolForCall(tool, args), schema, caller, args, partOf };
  return consoleJson(await callTool(dependenciesOf(context), call, request.observation));
}

function dependenciesOf<Services>({ db, baseUrl, services }: ToolContext<Services>): ToolDependencies<Services> {
  return { db, baseUrl, services: services.tools };
}

function byName<Kind extends ReadTool | RunnableMutation>(tools: Kind[]): Map<string, Callable<Kind>> {
  return new Map(tools.map((tool) => [tool.name, { tool, schema: inputSchemaOf(tool) }]));
}

function getTool<Kind>(tools: Map<string, Kind>, name: string): Kind {
  const found = tools.get(name);
  if (found === undefined) throw new ServiceError("not_found", "No such tool");
  return found;
}
