import type { ReactNode } from "react";
import type { Json } from "../../api/tools.ts";
import type { ChangeRequest } from "../../change/change-request.ts";
import { useChange } from "../../change/use-change.tsx";
import { DraftNotice } from "../../drafts/draft-notice.tsx";
import type { Draft } from "../../drafts/use-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";

type Props = {
  title: string;
  description: string;
  isOwner: boolean;
  isValid?: boolean;
  /** What was edited; the change is opened with it. */
  args: Json;
  draft: Draft;
  change: Omit<ChangeRequest, "args" | "confirmLabel"> & { confirmLabel: string };
  children: ReactNode;
};

/** A part of the settings: owners save it as one change. */
export function SettingsForm({
  title,
  description,
  isOwner,
  isValid = true,
  args,
  draft,
  change: request,
  children,
}: Props) {
  const change = useChange();
  const canSave = isValid && Object.keys(args).length > 0;
  const save = async () => {
    const confirms = draft.changedByOthers.length > 0;
    if (canSave && (await change.open({ ...request, args, confirms })) !== undefined) draft.saved();
  };
  return (
    <Section title={title} description={description}>
      <Form label={title} onSubmit={save}>
        <DraftNotice draft={draft} />
        {children}
        {isOwner && (
          <FormActions>
            <Button type="submit" kind="primary" isDisabled={!canSave}>
              {request.confirmLabel}
            </Button>
          </FormActions>
        )}
      </Form>
    </Section>
  );
}
