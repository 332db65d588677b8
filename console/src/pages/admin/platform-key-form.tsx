import { useState } from "react";
import { maximumLine, type PlatformKeyTier } from "../../../../contract/nouns.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import { required, useDraft } from "../../drafts/use-draft.ts";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { NewKey } from "../keys/new-key-dialog.tsx";
import { LookupField } from "./lookup-field.tsx";
import { NewPlatformKey } from "./new-platform-key.tsx";
import { lifetimes } from "./platform-key-lifetimes.ts";

const tiers: { value: PlatformKeyTier; label: string; hint: string }[] = [
  { value: "conference", label: "One conference", hint: "Its events and posters, for example for a posting agent" },
  { value: "super-admin", label: "Everything", hint: "All conferences, events and posters of the platform" },
];

type Values = { name: string; tier: PlatformKeyTier; conference_id: string | null; days: string };

const empty: Values = { name: "", tier: "conference", conference_id: null, days: "90" };

/** Creates a super-admin or conference key, then shows it once. */
export function PlatformKeyForm({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<NewKey>();
  const draft = useDraft({
    form: "new-platform-key",
    source: empty,
    read: (values) => values,
    check: ({ name, tier, conference_id }) => ({
      name: required(name, "what the key is for"),
      conference_id: tier === "conference" ? required(conference_id, "a conference of the list") : undefined,
    }),
  });
  const { bind } = draft;
  if (created !== undefined) return <NewPlatformKey newKey={created} onClose={onClose} />;
  return (
    <ChangeForm
      title="Create platform key"
      submitLabel="Review"
      draft={draft}
      onClose={onClose}
      change={({ name, tier, conference_id, days }) => ({
        tool: "create_platform_key",
        args: {
          name,
          tier,
          conference_id: tier === "conference" ? conference_id : null,
          expires_in_days: days === "" ? null : Number(days),
        },
        title: `Create key ${name}`,
        reason: `Created the key ${name}`,
        confirmLabel: "Create key",
        done: `${name} was created`,
      })}
      onDone={(done) => {
        const { key } = done.after as { key: { id: string; expires_at: string | null } };
        setCreated({
          id: key.id,
          name: draft.values.name,
          secret: done.key as string | undefined,
          expiresAt: key.expires_at,
        });
      }}
    >
      <div className="column gap-4">
        <TextField
          label="Name"
          maxLength={maximumLine}
          autoFocus
          description="What it is for, such as: Poster bot"
          {...bind("name")}
        />
        <RadioGroup label="Sees" options={tiers} {...bind("tier")} />
        {draft.values.tier === "conference" && (
          <LookupField label="Conference" list="conferences" {...bind("conference_id")} />
        )}
        <Select label="Expires" options={lifetimes} {...bind("days")} />
      </div>
    </ChangeForm>
  );
}
