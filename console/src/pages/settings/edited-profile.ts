import { maximumText } from "../../../../contract/nouns.ts";
import { textOrNull } from "../../format/texts.ts";
import type { Profile } from "./settings-data.ts";
import type { SocialLink } from "./social-links.tsx";

/** A profile as its form has it: texts for what may be missing, and links in a list. */
export type EditedProfile = {
  name: string;
  description: string;
  website: string;
  email: string;
  links: SocialLink[];
};

export const profileLabels: Record<keyof EditedProfile, string> = {
  name: "Name",
  description: "Description",
  website: "Website",
  email: "Contact e-mail",
  links: "Social links",
};

/** Longer than a tool takes: it comes from an import, and is shown in part. */
export const isLongDescription = ({ description }: Profile): boolean => (description?.length ?? 0) > maximumText;

export const editedOf = ({ name, description, website_url, contact_email, social_links }: Profile): EditedProfile => ({
  name,
  description: description ?? "",
  website: website_url ?? "",
  email: contact_email ?? "",
  links: Object.entries(social_links).map(([platform, url], index) => ({ id: index, platform, url })),
});

/** The profile to store: a description that was not edited, or cannot be, stays as it is. */
export function profileOf(stored: Profile, { name, description, website, email, links }: EditedProfile): Profile {
  const keepsDescription = isLongDescription(stored) || description === (stored.description ?? "");
  return {
    name: name.trim(),
    description: keepsDescription ? stored.description : textOrNull(description),
    website_url: textOrNull(website),
    contact_email: textOrNull(email),
    social_links: Object.fromEntries(
      links.filter(({ platform }) => platform.trim() !== "").map(({ platform, url }) => [platform.trim(), url.trim()]),
    ),
  };
}
