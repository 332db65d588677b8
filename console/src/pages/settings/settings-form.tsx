import type { ReactNode } from "react";
import type { Json } from "../../api/tools.ts";
import type { ChangeRequest } from "../../change/change-request.ts";
import { useChange } from "../../change/use-change.tsx";
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
  change: Omit<ChangeRequest, "args" | "confirmLabel"> & { confirmLabel: string };
  children: ReactNode;
};

/** A part of the settings: owners save it as one change. */
export function SettingsForm({ title, description, isOwner, isValid = true, args, change: request, children }: Props) {
  const change = useChange();
  const canSave = isValid && Object.keys(args).length > 0;
  const save = () => {
    if (canSave) void change.open({ ...request, args });
  };
  return (
    <Section title={title} description={description}>
      <Form label={title} onSubmit={save}>
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
