import { useState } from "react";
import type { ApiKey } from "../../../../contract/console/organization.ts";
import { usePerson } from "../../api/session.ts";
import { useTool } from "../../change/use-change.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { formatRelative } from "../../format/times.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { InlineNotice, ProblemNotice } from "../../ui/inline-notice.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Select } from "../../ui/select.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { type Lifetime, lifetimes, reminderOf } from "./key-data.ts";
import type { NewKey } from "./new-key-dialog.tsx";
import { NewOrganizationKey } from "./new-organization-key.tsx";

const overlaps = [
  { value: "24", label: "Keep it for 24 hours", hint: "Time to give the new key to the agent" },
  { value: "72", label: "Keep it for 3 days", hint: "For agents that several people look after" },
  {
    value: "0",
    label: "Revoke it now",
    hint: "If somebody else may have it: the agent stops until it has the new key",
  },
] as const;

type Values = { overlap: (typeof overlaps)[number]["value"]; lifetime: Lifetime };

const usual: Values = { overlap: "24", lifetime: "90" };

export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const run = useTool();
  const person = usePerson();
  const draft = useDraft({ form: `rotate-key ${apiKey.id}`, source: usual, read: (values) => values });
  const { overlap, lifetime } = draft.values;
  const { submit, isPending, problem } = useSubmit();
  const [created, setCreated] = useState<NewKey>();

  const rotate = async () => {
    const args = { key_id: apiKey.id, lifetime_days: Number(lifetime), keep_old_hours: Number(overlap) };
    const reason = `Rotate the key ${apiKey.name} (${apiKey.prefix}…)`;
    const result = await run({ tool: "rotate_api_key", args, reason });
    const { new_key } = result.after as { new_key: { id: string; expires_at: string } };
    const { id, expires_at: expiresAt } = new_key;
    draft.saved();
    setCreated({ id, name: apiKey.name, secret: result.key as string | undefined, expiresAt });
  };
  if (created !== undefined) return <NewOrganizationKey newKey={created} onClose={onClose} />;
  return (
    <FormDialog
      draft={draft}
      onClose={onClose}
      title={`Rotate “${apiKey.name}”`}
      description={`You get a new key with the same name and the same access. The old one (${apiKey.prefix}…) was ${lastUse(apiKey)}.`}
      label="Rotate key"
      submitLabel="Rotate key"
      danger={overlap === "0"}
      isPending={isPending}
      onSubmit={() => submit(rotate)}
      notices={
        <>
          <ProblemNotice text={problem?.text} />
          {apiKey.created_by.id !== person.id && (
            <InlineNotice tone="warning">
              The old key acts for {apiKey.created_by.name}. The new one acts for you, with your role.
            </InlineNotice>
          )}
        </>
      }
    >
      <RadioGroup label="What happens to the old key?" options={[...overlaps]} {...draft.bind("overlap")} />
      <Select
        label="The new key expires in"
        options={[...lifetimes]}
        {...draft.bind("lifetime")}
        description={reminderOf(lifetime)}
      />
    </FormDialog>
  );
}

const lastUse = ({ last_used_at }: ApiKey) =>
  last_used_at === null ? "never used" : `last used ${formatRelative(last_used_at)}`;
