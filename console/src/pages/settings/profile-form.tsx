import { maximumEmail, maximumLine, maximumText, maximumUrl } from "../../../../contract/nouns.ts";
import { useOrganization } from "../../api/session.ts";
import { changedFields } from "../../change/changed-fields.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { editedOf, isLongDescription, profileLabels, profileOf } from "./edited-profile.ts";
import type { Profile } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";
import { SocialLinks } from "./social-links.tsx";

export function ProfileForm({ stored, isOwner }: { stored: Profile; isOwner: boolean }) {
  const { slug } = useOrganization();
  const draft = useDraft({ form: "profile", source: stored, read: editedOf, labels: profileLabels });
  const { values: edited, bind, set, base } = draft;
  const isLong = isLongDescription(base);
  const args = changedFields(base, profileOf(base, edited));
  const common = { isReadOnly: !isOwner };
  return (
    <SettingsForm
      title="Profile"
      description={`The address of this organization in the console is /o/${slug}.`}
      isOwner={isOwner}
      args={args}
      draft={draft}
      change={{
        tool: "update_organization_profile",
        title: "Update the profile",
        reason: "Changed the organization’s profile",
        confirmLabel: "Save profile",
        done: "The profile is saved",
      }}
    >
      <TextField label={profileLabels.name} {...bind("name")} maxLength={maximumLine} {...common} />
      <TextArea
        label={profileLabels.description}
        optional
        rows={4}
        {...bind("description")}
        isReadOnly={!isOwner || isLong}
        {...(isLong
          ? { description: "It came from an import and is too long to be edited here." }
          : { maxLength: maximumText })}
      />
      <TextField
        label={profileLabels.website}
        optional
        type="url"
        placeholder="https://"
        maxLength={maximumUrl}
        {...bind("website")}
        {...common}
      />
      <TextField
        label={profileLabels.email}
        optional
        type="email"
        maxLength={maximumEmail}
        {...bind("email")}
        {...common}
      />
      <SocialLinks links={edited.links} onChange={(links) => set({ links })} isOwner={isOwner} />
    </SettingsForm>
  );
}
