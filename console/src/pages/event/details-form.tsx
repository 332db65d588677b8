import type { EventDetails } from "../../../../contract/console/event.ts";
import { useSave } from "../../change/use-save.ts";
import { DraftNotice } from "../../drafts/draft-notice.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { formatCount, listOf } from "../../format/counts.ts";
import { wordsOf } from "../../format/differences.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { changedDetails, detailsDraft, detailsForm, detailsLabels, problemsOf } from "./details-fields.ts";
import styles from "./details-form.module.css";
import { DetailsInputs } from "./details-inputs.tsx";

/** What is sent are the fields that were edited: others may have changed the rest. */
export function DetailsForm({ event, onClose }: { event: EventDetails; onClose: () => void }) {
  const draft = useDraft({
    form: detailsDraft(event.id),
    source: event,
    read: detailsForm,
    labels: detailsLabels,
    check: (form, opened) => problemsOf(opened, form),
  });
  const save = useSave(draft, onClose);
  const { values, bind, set } = draft;
  const changed = changedDetails(draft.base, values);
  const names = Object.keys(changed);
  const isMoved = changed.start_time !== undefined;
  const withShow = isMoved && values.movesShow ? { move_run_of_show: true } : {};
  const submit = async () => {
    if (draft.submitted() === undefined || names.length === 0) return;
    await save({
      tool: "update_event_details",
      args: { event_id: event.id, ...changed, ...withShow },
      title: "Change the event's details",
      reason: `Changed ${listOf(names.map((name) => wordsOf(name).toLowerCase()))}`,
      confirmLabel: "Save details",
      zone: values.timezone,
      // What others changed meanwhile is not written over unseen.
      confirms: draft.changedByOthers.length > 0,
      done: "Details saved",
    });
  };
  return (
    <Form onSubmit={submit} label="Details of the event" wide>
      <DraftNotice draft={draft} />
      <DetailsInputs
        set={bind}
        hasStatus={event.status !== "draft"}
        hasTicketingPage
        eventId={event.id}
        afterTimes={
          isMoved && (
            <Checkbox
              isSelected={values.movesShow}
              onChange={(movesShow) => set({ movesShow })}
              hint="By as much as the start."
            >
              {detailsLabels.movesShow}
            </Checkbox>
          )
        }
      />
      <FormActions>
        <Button type="submit" kind="primary" isDisabled={names.length === 0}>
          Save details
        </Button>
        <Button onPress={draft.closing(onClose)}>Cancel</Button>
        <span role="status" className={styles.count}>
          {names.length === 0 ? "Nothing changed yet" : `${formatCount(names.length)} changed`}
        </span>
      </FormActions>
    </Form>
  );
}
