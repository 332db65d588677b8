import type { PlatformKey } from "../../../../contract/console/admin.ts";
import { useSave } from "../../change/use-save.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { formatDay, localZone, zoneName } from "../../format/times.ts";
import { DateField } from "../../ui/date-field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { choosesDay, expiresAt, expiryOptions, keyExpiryDraft, keyExpiryProblems } from "./key-expiry-draft.ts";

const labels = { expires: "Expires", last_day: "Last day" };

/** Lets a platform key that works do so for longer or shorter. */
export function KeyExpiryForm({ platformKey, onClose }: { platformKey: PlatformKey; onClose: () => void }) {
  const { id, name } = platformKey;
  const draft = useDraft({
    form: `platform-key-expiry ${id}`,
    source: platformKey,
    read: keyExpiryDraft,
    labels,
    check: (values) => keyExpiryProblems(values),
  });
  const save = useSave(draft, onClose);
  const submit = async () => {
    if (!draft.isDirty) return onClose();
    const values = draft.submitted();
    if (values === undefined) return;
    const tool = "set_platform_key_expiry";
    const expires_at = expiresAt(values);
    await save({
      tool,
      args: { key_id: id, expires_at },
      title: `Change when ${name} expires`,
      reason: `Changed when the key ${name} expires`,
      confirmLabel: "Save expiry",
      done:
        expires_at === null
          ? `${name} works until it is revoked`
          : `${name} expires on ${formatDay(expires_at, localZone())}`,
      undo: { tool, args: { key_id: id, expires_at: platformKey.expires_at } },
    });
  };
  return (
    <FormDialog
      title={`When does ${name} expire?`}
      description="The key itself stays the same: nobody has to be given another one."
      label="Expiry of the key"
      submitLabel="Save expiry"
      draft={draft}
      onClose={onClose}
      onSubmit={submit}
    >
      <RadioGroup label={labels.expires} options={expiryOptions(Date.now())} {...draft.bind("expires")} />
      {choosesDay(draft.values) && (
        <DateField
          label={labels.last_day}
          description={`The key works until the day ends, ${zoneName(localZone())}.`}
          {...draft.bind("last_day")}
        />
      )}
    </FormDialog>
  );
}
