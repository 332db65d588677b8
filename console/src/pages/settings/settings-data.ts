import { queryOptions } from "@tanstack/react-query";
import type { ToolResult } from "../../../../contract/console/tool-results.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { readTool } from "../../api/tools.ts";

export type Settings = ToolResult<"get_organization_admin_snapshot">["organization"];
export type Profile = Pick<Settings, "name" | "description" | "website_url" | "contact_email" | "social_links">;
export type Branding = Pick<Settings, "brand_primary_color" | "brand_secondary_color">;
export type Logos = Pick<Settings, "logo_url" | "logo_dark_url">;

export const settingsQuery = (organization: string) =>
  queryOptions({
    queryKey: organizationKey(organization, "settings"),
    queryFn: async () => (await readTool(organization, "get_organization_admin_snapshot", { limit: 1 })).organization,
  });
