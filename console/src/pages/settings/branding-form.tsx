import { useState } from "react";
import { changedFields } from "../../change/changed-fields.ts";
import { textOrNull } from "../../format/texts.ts";
import { ColorField } from "./color-field.tsx";
import { ColorPreview } from "./color-preview.tsx";
import type { Branding } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";

const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

export function BrandingForm({ stored, isOwner }: { stored: Branding; isOwner: boolean }) {
  const { brand_primary_color, brand_secondary_color } = stored;
  const [primary, setPrimary] = useState(brand_primary_color ?? "");
  const [secondary, setSecondary] = useState(brand_secondary_color ?? "");
  const edited = { brand_primary_color: textOrNull(primary), brand_secondary_color: textOrNull(secondary) };
  const args = changedFields({ brand_primary_color, brand_secondary_color }, edited);
  const isValid = [primary, secondary].every((text) => text.trim() === "" || isColor(text.trim()));
  return (
    <SettingsForm
      title="Brand colours"
      description="New posters are drawn in them, and the first one tints this console."
      isOwner={isOwner}
      isValid={isValid}
      args={args}
      change={{
        tool: "update_organization_branding",
        title: "Change brand colours",
        reason: "Change the brand colours",
        confirmLabel: "Save colours",
        done: "The colours are saved",
      }}
    >
      <ColorField label="Main colour" value={primary} onChange={setPrimary} isOwner={isOwner} />
      <ColorField label="Second colour" value={secondary} onChange={setSecondary} isOwner={isOwner} />
      {isColor(primary.trim()) && <ColorPreview color={primary.trim()} />}
    </SettingsForm>
  );
}
