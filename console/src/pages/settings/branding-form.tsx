import { changedFields } from "../../change/changed-fields.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { textOrNull } from "../../format/texts.ts";
import { ColorField } from "./color-field.tsx";
import { ColorPreview } from "./color-preview.tsx";
import type { Branding } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";

const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

const labels = { primary: "Main colour", secondary: "Second colour" };

export function BrandingForm({ stored, isOwner }: { stored: Branding; isOwner: boolean }) {
  const draft = useDraft({
    form: "branding",
    source: stored,
    read: ({ brand_primary_color, brand_secondary_color }) => ({
      primary: brand_primary_color ?? "",
      secondary: brand_secondary_color ?? "",
    }),
    labels,
  });
  const { primary, secondary } = draft.values;
  const edited = { brand_primary_color: textOrNull(primary), brand_secondary_color: textOrNull(secondary) };
  const args = changedFields(draft.base, edited);
  const isValid = [primary, secondary].every((text) => text.trim() === "" || isColor(text.trim()));
  return (
    <SettingsForm
      title="Brand colours"
      description="New posters are drawn in them, and the first one tints this console."
      isOwner={isOwner}
      isValid={isValid}
      args={args}
      draft={draft}
      change={{
        tool: "update_organization_branding",
        title: "Change brand colours",
        reason: "Changed the brand colours",
        confirmLabel: "Save colours",
        done: "The colours are saved",
      }}
    >
      <ColorField label={labels.primary} {...draft.bind("primary")} isOwner={isOwner} />
      <ColorField label={labels.secondary} {...draft.bind("secondary")} isOwner={isOwner} />
      {isColor(primary.trim()) && <ColorPreview color={primary.trim()} />}
    </SettingsForm>
  );
}
