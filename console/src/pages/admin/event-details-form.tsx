import type { AdminEventDetails } from "../../../../contract/console/admin.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { changedDetails, detailsDraft, detailsForm, detailsLabels, problemsOf } from "../event/details-fields.ts";
import { DetailsInputs } from "../event/details-inputs.tsx";
import { backTo } from "./back-to.ts";

/** Edits what describes an event, in any status. Its status, its host and its ticketing link have forms of their own. */
export function EventDetailsForm({ event, onClose }: { event: AdminEventDetails; onClose: () => void }) {
  const draft = useDraft({
    form: detailsDraft(event.id),
    source: event,
    read: detailsForm,
    labels: detailsLabels,
    check: (form, opened) => problemsOf(opened, form),
  });
  return (
    <ChangeForm
      title="Edit event"
      description="Its hosts can edit the same fields, and see who changed them."
      size="large"
      wide
      submitLabel="Save changes"
      draft={draft}
      onClose={onClose}
      change={(values) => {
        const changed = changedDetails(draft.base, values);
        if (Object.keys(changed).length === 0) return undefined;
        return {
          tool: "update_event",
          args: { event_id: event.id, ...changed },
          title: `Edit ${event.name}`,
          reason: `Changed the event ${event.name}`,
          confirms: draft.changedByOthers.length > 0,
          confirmLabel: "Save changes",
          zone: values.timezone,
          done: `${values.name.trim()} was changed`,
          undo: backTo("update_event", { event_id: event.id }, changed),
        };
      }}
    >
      <DetailsInputs set={draft.bind} eventId={event.id} />
    </ChangeForm>
  );
}
