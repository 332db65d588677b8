import { useState } from "react";
import { changedFields } from "../../change/changed-fields.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { textOrNull } from "../../format/texts.ts";
import { classes } from "../../ui/classes.ts";
import { TextField } from "../../ui/text-field.tsx";
import styles from "./settings.module.css";
import type { Logos } from "./settings-data.ts";
import { SettingsForm } from "./settings-form.tsx";

export function LogosForm({ stored, isOwner }: { stored: Logos; isOwner: boolean }) {
  const draft = useDraft({
    form: "logos",
    source: stored,
    read: ({ logo_url, logo_dark_url }) => ({ light: logo_url ?? "", dark: logo_dark_url ?? "" }),
  });
  const { light, dark } = draft.values;
  const args = changedFields(draft.base, { logo_url: textOrNull(light), logo_dark_url: textOrNull(dark) });
  return (
    <SettingsForm
      title="Logos"
      description="Addresses of pictures on the web. New posters use them."
      isOwner={isOwner}
      args={args}
      draft={draft}
      change={{
        tool: "set_organization_logo_urls",
        title: "Change logos",
        reason: "Change the logos",
        confirmLabel: "Save logos",
        done: "The logos are saved",
      }}
    >
      <LogoField label="For light backgrounds" {...draft.bind("light")} isOwner={isOwner} />
      <LogoField label="For dark backgrounds" {...draft.bind("dark")} isOwner={isOwner} isDark />
    </SettingsForm>
  );
}

type FieldProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  isOwner: boolean;
  isDark?: boolean;
};

function LogoField({ label, value, onChange, isOwner, isDark = false }: FieldProps) {
  const [broken, setBroken] = useState<string>();
  const address = value.trim();
  const isBroken = broken === address;
  return (
    <div className={styles.logo}>
      <span className={classes(styles.logoPreview, isDark && styles.dark)}>
        {/^https?:\/\/./.test(address) && !isBroken && (
          <img className={styles.logoImage} src={address} alt="" onError={() => setBroken(address)} />
        )}
      </span>
      <TextField
        label={label}
        optional
        type="url"
        placeholder="https://"
        value={value}
        onChange={onChange}
        isReadOnly={!isOwner}
        {...(isBroken && address !== ""
          ? { description: "This browser cannot show a picture from this address." }
          : {})}
      />
    </div>
  );
}
