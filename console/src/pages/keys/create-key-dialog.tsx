import { useState } from "react";
import { maximumKeyName } from "../../../../contract/nouns.ts";
import { scopes as allScopes, type Scope } from "../../../../contract/scopes.ts";
import { problemOf } from "../../api/api-error.ts";
import { useTool } from "../../change/use-change.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { Checkbox, CheckboxGroup } from "../../ui/checkbox.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { ProblemNotice } from "../../ui/inline-notice.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type Lifetime, lifetimes, type PresetName, presets, reminderOf, scopeWords } from "./key-data.ts";
import styles from "./keys.module.css";
import type { NewKey } from "./new-key-dialog.tsx";
import { NewOrganizationKey } from "./new-organization-key.tsx";
import { ScopeList, ScopeTitle } from "./scope-list.tsx";

type Values = { name: string; preset: PresetName; scopes: Scope[]; lifetime: Lifetime };

const first: Values = { name: "", preset: "posting", scopes: presets[0]?.scopes ?? [], lifetime: "90" };

/** Name, what it may do and for how long; then the key, once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const draft = useDraft({ form: "new-key", source: first, read: (values) => values });
  const { create, created, isPending, problems } = useCreation(draft.saved);
  const { values, set: change } = draft;
  if (created !== undefined) return <NewOrganizationKey newKey={created} onClose={onClose} />;
  return (
    <FormDialog
      title="Create an API key"
      description="For one agent. It acts in your name, with what you allow here."
      label="New API key"
      submitLabel="Create key"
      isPending={isPending}
      draft={draft}
      onClose={onClose}
      onSubmit={() => create(values)}
      notices={<ProblemNotice text={problems.other} />}
    >
      <RadioGroup
        label="What is it for?"
        options={presets}
        value={values.preset}
        onChange={(value) => {
          const preset = presets.find((each) => each.value === value);
          change({ preset: value, ...(value === "custom" ? {} : { scopes: preset?.scopes ?? [] }) });
        }}
      />
      {values.preset === "custom" ? (
        <CheckboxGroup
          label="It may"
          value={values.scopes}
          onChange={(scopes) => change({ scopes: allScopes.filter((scope) => scopes.includes(scope)) })}
          error={problems.scopes}
        >
          {allScopes.map((scope) => (
            <Checkbox key={scope} value={scope} hint={scopeWords[scope].hint}>
              <ScopeTitle scope={scope} />
            </Checkbox>
          ))}
        </CheckboxGroup>
      ) : (
        <div>
          <p className={styles.label}>It may</p>
          <ScopeList scopes={values.scopes} />
        </div>
      )}
      <TextField
        label="Name"
        description="How you recognize it in this list and in the activity."
        placeholder={presets.find(({ value }) => value === values.preset)?.keyName || "What uses it"}
        value={values.name}
        onChange={(name) => change({ name })}
        maxLength={maximumKeyName}
        error={problems.name}
        optional={values.preset !== "custom"}
      />
      <Select
        label="Expires in"
        options={[...lifetimes]}
        value={values.lifetime}
        onChange={(lifetime) => change({ lifetime })}
        description={reminderOf(values.lifetime)}
      />
    </FormDialog>
  );
}

type Problems = { name?: string; scopes?: string; other?: string };

function useCreation(onCreated: () => void) {
  const run = useTool();
  const [created, setCreated] = useState<NewKey>();
  const [isPending, setPending] = useState(false);
  const [problems, setProblems] = useState<Problems>({});
  const create = async ({ name: given, preset, scopes, lifetime }: Values) => {
    const name = given.trim() || (presets.find(({ value }) => value === preset)?.keyName ?? "");
    const found: Problems = {
      ...(name === "" ? { name: "Say what uses this key." } : {}),
      ...(scopes.length === 0 ? { scopes: "Choose at least one." } : {}),
    };
    setProblems(found);
    if (isPending || Object.keys(found).length > 0) return;
    setPending(true);
    try {
      const args = { name, scopes, lifetime_days: Number(lifetime) };
      const result = await run({ tool: "create_api_key", args, reason: `Created the key ${name}` });
      const { key } = result.after as { key: { id: string; expires_at: string } };
      onCreated();
      setCreated({ id: key.id, name, secret: result.key as string | undefined, expiresAt: key.expires_at });
    } catch (error) {
      const { text, field } = problemOf(error);
      setProblems({ [field === "name" || field === "scopes" ? field : "other"]: text });
    }
    setPending(false);
  };
  return { create, created, isPending, problems };
}
