import { queryOptions } from "@tanstack/react-query";
import { organizationKey } from "../../api/query-keys.ts";
import { runTool } from "../../api/tools.ts";

export type Profile = {
  name: string;
  description: string | null;
  website_url: string | null;
  contact_email: string | null;
  social_links: Record<string, string>;
};
export type Branding = { brand_primary_color: string | null; brand_secondary_color: string | null };
export type Logos = { logo_url: string | null; logo_dark_url: string | null };
export type Settings = Profile & Branding & Logos & { slug: string };

export const settingsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: organizationKey(organizationId, "settings"),
    queryFn: async () => {
      const tool = "get_organization_admin_snapshot";
      return (await runTool<{ organization: Settings }>(organizationId, tool, { limit: 1 })).organization;
    },
  });

export const textOrNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
