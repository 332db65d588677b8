import { useState } from "react";
import { maximumText } from "../../../../contract/nouns.ts";
import { useOrganization } from "../../api/session.ts";
import { changedFields } from "../../change/changed-fields.ts";
import { useChange } from "../../change/use-change.tsx";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { type EditedProfile, editedOf, isLongDescription, profileOf } from "./edited-profile.ts";
import type { Profile } from "./settings-data.ts";
import { SocialLinks } from "./social-links.tsx";

export function ProfileForm({ stored, isOwner }: { stored: Profile; isOwner: boolean }) {
  const change = useChange();
  const { slug } = useOrganization();
  const [edited, setEdited] = useState(() => editedOf(stored));
  const set = (part: Partial<EditedProfile>) => setEdited((before) => ({ ...before, ...part }));
  const isLong = isLongDescription(stored);
  const args = changedFields(stored, profileOf(stored, edited));
  const isChanged = Object.keys(args).length > 0;
  const save = () => {
    if (!isChanged) return;
    void change.open({
      tool: "update_organization_profile",
      args,
      title: "Update the profile",
      reason: "Update the organization’s profile",
      confirmLabel: "Save profile",
      done: "The profile is saved",
    });
  };
  const common = { isReadOnly: !isOwner };
  return (
    <Section title="Profile" description={`The address of this organization in the console is /o/${slug}.`}>
      <Form label="Profile" onSubmit={save}>
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
        {isOwner && (
          <FormActions>
            <Button type="submit" kind="primary" isDisabled={!isChanged}>
              Save profile
            </Button>
          </FormActions>
        )}
      </Form>
    </Section>
  );
}
