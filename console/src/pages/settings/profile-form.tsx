import { useState } from "react";
import { maximumText } from "../../../../contract/nouns.ts";
import { useOrganization } from "../../api/session.ts";
import { changedFields } from "../../change/changed-fields.ts";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { type EditedProfile, editedOf, isLongDescription, profileOf } from "./edited-profile.ts";
import type { Profile } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";
import { SocialLinks } from "./social-links.tsx";

export function ProfileForm({ stored, isOwner }: { stored: Profile; isOwner: boolean }) {
  const { slug } = useOrganization();
  const [edited, setEdited] = useState(() => editedOf(stored));
  const set = (part: Partial<EditedProfile>) => setEdited((before) => ({ ...before, ...part }));
  const isLong = isLongDescription(stored);
  const args = changedFields(stored, profileOf(stored, edited));
  const common = { isReadOnly: !isOwner };
  return (
    <SettingsForm
      title="Profile"
      description={`The address of this organization in the console is /o/${slug}.`}
      isOwner={isOwner}
      args={args}
      change={{
        tool: "update_organization_profile",
        title: "Update the profile",
        reason: "Update the organization’s profile",
        confirmLabel: "Save profile",
        done: "The profile is saved",
      }}
    >
      <TextField label="Name" value={edited.name} onChange={(name) => set({ name })} maxLength={200} {...common} />
      <TextArea
        label="Description"
        optional
        rows={4}
        value={edited.description}
        onChange={(description) => set({ description })}
        maxLength={maximumText + 1}
        isReadOnly={!isOwner || isLong}
        {...(isLong ? { description: "It came from an import and is too long to be edited here." } : {})}
      />
      <TextField
        label="Website"
        optional
        type="url"
        placeholder="https://"
        value={edited.website}
        onChange={(website) => set({ website })}
        {...common}
      />
      <TextField
        label="Contact e-mail"
        optional
        type="email"
        value={edited.email}
        onChange={(email) => set({ email })}
        {...common}
      />
      <SocialLinks links={edited.links} onChange={(links) => set({ links })} isOwner={isOwner} />
    </SettingsForm>
  );
}
