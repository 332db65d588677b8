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
import { toolBodyLimitBytes } from "../runner/commit-arguments.js";
import type { PlatformTool, RunnableMutation, Tool } from "../runner/mutation.js";
import { callTool, replayTool, type ToolDependencies } from "../runner/run.js";
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
        const tool = getTool(forOrganizations, params.tool);
        const { role } = context.caller;
        if (roleAtLeast(role, tool.role)) return run(context, tool, body, query.part_of);
        const replay = await replayTool(dependenciesOf(context), { tool, caller: context.caller, args: body });
        if (replay === undefined) throw lacksRole(tool.role, role);
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

type ToolContext<Services> = ContextOf<"member" | "platform_admin", ToolRouteServices<Services>>;

async function run<Services>(
  context: ToolContext<Services>,
  tool: ReadTool | RunnableMutation<Services>,
  args: Record<string, unknown>,
  partOf?: string,
): Promise<ConsoleResponse> {
  const { caller, request } = context;
  return consoleJson(await callTool(dependenciesOf(context), { tool, caller, args, partOf }, request.observation));
}

function dependenciesOf<Services>({ db, baseUrl, services }: ToolContext<Services>): ToolDependencies<Services> {
  return { db, baseUrl, services: services.tools };
}

function byName<Kind extends { name: string }>(tools: Kind[]): Map<string, Kind> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function getTool<Kind>(tools: Map<string, Kind>, name: string): Kind {
  const found = tools.get(name);
  if (found === undefined) throw new ServiceError("not_found", "No such tool");
  return found;
}
