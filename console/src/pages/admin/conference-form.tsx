import { useNavigate } from "@tanstack/react-router";
import type { ConferenceDetails } from "../../../../contract/console/admin.ts";
import { useChange } from "../../change/use-change.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { conferenceCategories } from "./categories.ts";
import {
  changedConferenceArgs,
  conferenceArgs,
  conferenceDraft,
  conferenceProblems,
  withName,
} from "./conference-draft.ts";
import { zoneLabel, zoneOptions } from "./dates.ts";
import styles from "./row-list.module.css";

/** Creates a conference, or edits the given one. */
export function ConferenceForm({ conference, onClose }: { conference?: ConferenceDetails; onClose: () => void }) {
  const change = useChange();
  const navigate = useNavigate();
  const draft = useDraft({
    form: `conference ${conference?.id ?? "new"}`,
    source: conference,
    read: conferenceDraft,
    check: conferenceProblems,
  });
  const { bind, submitted, set } = draft;
  const submit = async () => {
    const values = submitted();
    if (values === undefined) return;
    if (conference === undefined) {
      const created = await change.open({
        tool: "create_conference",
        args: conferenceArgs(values),
        title: `Create ${values.name}`,
        reason: `Create conference ${values.name}`,
        confirmLabel: "Create conference",
        done: `${values.name} was created as a draft`,
        zone: values.timezone ?? "UTC",
      });
      if (created === undefined) return;
      draft.saved();
      onClose();
      void navigate({ to: "/admin/conferences/$id", params: { id: String(created.after.id) } });
      return;
    }
    const changed = changedConferenceArgs(conferenceDraft(draft.base), values);
    if (Object.keys(changed).length === 0) return onClose();
    const done = await change.open({
      tool: "update_conference",
      args: { conference_id: conference.id, ...changed },
      title: `Edit ${conference.name}`,
      reason: `Edit conference ${conference.name}`,
      confirmLabel: "Save changes",
      done: `${values.name} was changed`,
    });
    if (done === undefined) return;
    draft.saved();
    onClose();
  };
  const isNew = conference === undefined;
  return (
    <FormDialog
      title={isNew ? "Create conference" : "Edit conference"}
      submitLabel="Review"
      draft={draft}
      onClose={onClose}
      onSubmit={() => void submit()}
      {...(isNew ? { description: "It starts as a draft, which nobody but administrators sees." } : {})}
    >
      <div className="column gap-4">
        <TextField
          label="Name"
          autoFocus
          {...bind("name")}
          onChange={(name) => set((before) => (isNew ? withName(before, name) : { name }))}
        />
        <div className={styles.two}>
          <TextField label="Short name" {...bind("short_name")} />
          {isNew && (
            <TextField
              label="Slug"
              mono
              {...bind("slug")}
              description="For imports and the command line. It cannot be changed later"
            />
          )}
        </div>
        <div className={styles.two}>
          <TextField label="First day" type="date" {...bind("start_date")} />
          <TextField label="Last day" type="date" {...bind("end_date")} />
        </div>
        <div className={styles.two}>
          <TextField label="City" {...bind("city")} />
          <ComboBox
            label="Time zone"
            options={zoneOptions}
            defaultInputValue={zoneLabel(draft.values.timezone ?? "")}
            placeholder="Europe/Lisbon"
            {...bind("timezone")}
          />
        </div>
        <Select label="Category" options={conferenceCategories} {...bind("category")} />
        <TextArea label="Description" rows={4} {...bind("description")} />
        <TextField label="Address of a banner image" type="url" optional {...bind("banner_thumbnail_url")} />
      </div>
    </FormDialog>
  );
}
