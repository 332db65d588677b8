import { maximumLine } from "../../../../contract/nouns.ts";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { sessionKey } from "../../api/query-keys.ts";
import { usePerson } from "../../api/session.ts";
import { DraftNotice } from "../../drafts/draft-notice.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { Button } from "../../ui/button.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { Section } from "../../ui/section.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toast-queue.ts";
import { useSubmit } from "../../ui/use-submit.ts";

const labels = { name: "Name" };

export function ProfileForm() {
  const person = usePerson();
  const draft = useDraft({ form: "account", source: person, read: ({ name }) => ({ name }), labels });
  const { submit, isPending, problem } = useSubmit();
  const trimmed = draft.values.name.trim();
  const isChanged = trimmed !== "" && trimmed !== person.name;
  const save = async () => {
    if (!isChanged) return;
    await call("changeProfile", { body: { name: trimmed } });
    draft.saved();
    await queryClient.invalidateQueries({ queryKey: sessionKey });
    showToast("Your name is saved");
  };
  return (
    <Section title="Profile" description={`You sign in as ${person.email}.`}>
      <Form label="Profile" onSubmit={() => submit(save)}>
        <DraftNotice draft={draft} />
        <TextField
          label={labels.name}
          description="Shown beside what you change."
          autoComplete="name"
          {...draft.bind("name")}
          maxLength={maximumLine}
          error={problem?.text}
        />
        <FormActions>
          <Button type="submit" isPending={isPending} isDisabled={!isChanged}>
            Save name
          </Button>
        </FormActions>
      </Form>
    </Section>
  );
}
