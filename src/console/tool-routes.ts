import { z } from "zod";
import { roleAtLeast } from "../access/roles.js";
import { lacksRole } from "../access/session.js";
import {
  type ConsoleRoute,
  type ContextOf,
  consoleJson,
  defineConsoleRoute,
  organizationPath,
} from "../console-route.js";
import { ServiceError } from "../platform/errors.js";
import { callTool } from "../tools/call-tool.js";
import { inputSchemaOf } from "../tools/commit-arguments.js";
import type { PlatformTool, RunnableMutation, Tool } from "../tools/mutation.js";
import type { ReadTool } from "../tools/tool.js";

/** What the tools reach beside the database. */
export type ToolRouteServices<Services> = { tools: Services };

/** The arguments of a tool, as for MCP. */
const bodyLimitBytes = 128 * 1024;

const toolArguments = z.record(z.string(), z.unknown());

/** The one way in which the console changes data: the tools of MCP and its own, run by the same runner. */
export function toolRoutes<Services>(
  organizationTools: Tool<Services>[],
  platformTools: PlatformTool<Services>[],
): ConsoleRoute<ToolRouteServices<Services>>[] {
  const forOrganizations = byName(organizationTools);
  const forPlatform = byName(platformTools);
  return [
    defineConsoleRoute({
      method: "POST",
      path: organizationPath("tools/:tool"),
      summary: "Run a tool for an organization",
      access: "member",
      params: z.object({ tool: z.string() }),
      body: toolArguments,
      bodyLimitBytes,
      async handle(
        { db, baseUrl, caller, services, request }: ContextOf<"member", ToolRouteServices<Services>>,
        { params, body },
      ) {
        const { tool, schema } = getTool(forOrganizations, params.tool);
        if (!roleAtLeast(caller.role, tool.role)) throw lacksRole(tool.role, caller.role);
        const call = { tool, schema, caller, args: body };
        return consoleJson(await callTool({ db, baseUrl, services: services.tools }, call, request.observation));
      },
    }),
    defineConsoleRoute({
      method: "POST",
      path: "/api/console/admin/tools/:tool",
      summary: "Run a tool for the platform",
      access: "platform_admin",
      params: z.object({ tool: z.string() }),
      body: toolArguments,
      bodyLimitBytes,
      async handle(
        { db, baseUrl, caller, services, request }: ContextOf<"platform_admin", ToolRouteServices<Services>>,
        { params, body },
      ) {
        const { tool, schema } = getTool(forPlatform, params.tool);
        const call = { tool, schema, caller, args: body };
        return consoleJson(await callTool({ db, baseUrl, services: services.tools }, call, request.observation));
      },
    }),
  ];
}

function byName<Kind extends ReadTool | RunnableMutation>(
  tools: Kind[],
): Map<string, { tool: Kind; schema: z.ZodObject }> {
  return new Map(tools.map((tool) => [tool.name, { tool, schema: inputSchemaOf(tool) }]));
}

function getTool<Kind>(tools: Map<string, Kind>, name: string): Kind {
  const found = tools.get(name);
  if (found === undefined) throw new ServiceError("not_found", "No such tool");
  return found;
}
