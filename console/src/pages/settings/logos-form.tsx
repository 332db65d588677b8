import { changedFields } from "../../change/changed-fields.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { textOrNull } from "../../format/texts.ts";
import { PictureField } from "../../ui/picture-field.tsx";
import type { Logos } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";

const labels = { light: "For light backgrounds", dark: "For dark backgrounds" };

export function LogosForm({ stored, isOwner }: { stored: Logos; isOwner: boolean }) {
  const draft = useDraft({
    form: "logos",
    source: stored,
    read: ({ logo_url, logo_dark_url }) => ({ light: logo_url ?? "", dark: logo_dark_url ?? "" }),
    labels,
  });
  const { light, dark } = draft.values;
  const args = changedFields(draft.base, { logo_url: textOrNull(light), logo_dark_url: textOrNull(dark) });
  return (
    <SettingsForm
      title="Logos"
      description="Shown beside your organization’s name, and drawn on new posters."
      isOwner={isOwner}
      args={args}
      draft={draft}
      change={{
        tool: "set_organization_logo_urls",
        title: "Change logos",
        reason: "Changed the logos",
        confirmLabel: "Save logos",
        done: "The logos are saved",
      }}
    >
      <PictureField label={labels.light} optional use="logo" isReadOnly={!isOwner} {...draft.bind("light")} />
      <PictureField label={labels.dark} optional use="logo" isDark isReadOnly={!isOwner} {...draft.bind("dark")} />
    </SettingsForm>
  );
}
