import { z } from "zod";
import { organizationProfile } from "../schema/organizations.js";
import { pageOf } from "../schema/page.js";
import { assetWorkspace } from "../schema/posters.js";
import { registrationDetails, rosterItem } from "../schema/registrations.js";
import { statistics } from "../schema/statistics.js";

/** What pages use of the results of the tools that they read with. */
export const toolResults = {
  get_event_asset_workspace: assetWorkspace,
  get_event_registration_details: registrationDetails,
  get_event_statistics: statistics,
  get_organization_admin_snapshot: z.object({ organization: organizationProfile }),
  list_event_registrations: pageOf(rosterItem),
};

export type ToolName = keyof typeof toolResults;
export type ToolResult<Name extends ToolName> = z.output<(typeof toolResults)[Name]>;
