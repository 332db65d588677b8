import { useState } from "react";
import { changedFields } from "../../change/changed-fields.ts";
import { useChange } from "../../change/use-change.tsx";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { ColorField } from "./color-field.tsx";
import { ColorPreview } from "./color-preview.tsx";
import { type Branding, textOrNull } from "./settings-data.ts";

const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

export function BrandingForm({ stored, isOwner }: { stored: Branding; isOwner: boolean }) {
  const change = useChange();
  const { brand_primary_color, brand_secondary_color } = stored;
  const [primary, setPrimary] = useState(brand_primary_color ?? "");
  const [secondary, setSecondary] = useState(brand_secondary_color ?? "");
  const edited = { brand_primary_color: textOrNull(primary), brand_secondary_color: textOrNull(secondary) };
  const args = changedFields({ brand_primary_color, brand_secondary_color }, edited);
  const isValid = [primary, secondary].every((text) => text.trim() === "" || isColor(text.trim()));
  const isChanged = Object.keys(args).length > 0;
  const save = () => {
    if (!isChanged || !isValid) return;
    void change.open({
      tool: "update_organization_branding",
      args,
      title: "Change brand colours",
      reason: "Change the brand colours",
      confirmLabel: "Save colours",
      done: "The colours are saved",
    });
  };
  return (
    <Section title="Brand colours" description="New posters are drawn in them, and the first one tints this console.">
      <Form label="Brand colours" onSubmit={save}>
        <ColorField label="Main colour" value={primary} onChange={setPrimary} isOwner={isOwner} />
        <ColorField label="Second colour" value={secondary} onChange={setSecondary} isOwner={isOwner} />
        {isColor(primary.trim()) && <ColorPreview color={primary.trim()} />}
        {isOwner && (
          <FormActions>
            <Button type="submit" kind="primary" isDisabled={!isChanged || !isValid}>
              Save colours
            </Button>
          </FormActions>
        )}
      </Form>
    </Section>
  );
}
