import { line } from "../../../contract/schema/fields.js";
import { aboutEvent, definePrompt, details, eventArgument, quoted, safely } from "../prompt.js";

export const planPosterCampaign = definePrompt({
  name: "plan_poster_campaign",
  title: "Plan a poster campaign",
  description: "Draw posters of an event for several platforms, choose the best and publish them for posting.",
  tools: [
    "get_organization_admin_snapshot",
    "get_event_asset_workspace",
    "generate_event_poster_draft",
    "set_event_poster_publication",
  ],
  arguments: {
    event: eventArgument,
    platforms: line(200)
      .meta({ description: "such as instagram, linkedin; default: all that make sense" })
      .exactOptional(),
    wishes: details("tone, language, speakers to show").exactOptional(),
  },
  task: ({ event, platforms, wishes }) => [
    "Plan a campaign with posters of an event.",
    aboutEvent(event),
    ...quoted("The platforms", platforms),
    ...quoted("My wishes", wishes),
    "Read get_event_asset_workspace: existing posters and where they were posted, templates, formats, and what is missing, such as photos or a logo. Tell me first what is missing.",
    "Propose two or three variants for each platform: template, format, title and speakers, with a caption. Draw them with generate_event_poster_draft and show me the images. Publish the ones that I choose with set_event_poster_publication: published posters are what posting agents post.",
    safely,
  ],
});
