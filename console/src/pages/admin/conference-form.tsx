import { useNavigate } from "@tanstack/react-router";
import type { ConferenceDetails } from "../../../../contract/console/admin.ts";
import {
  maximumCity,
  maximumLine,
  maximumLongText,
  maximumShortName,
  maximumSlug,
} from "../../../../contract/nouns.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import type { ChangeRequest } from "../../change/change-request.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { conferenceCategoryOptions } from "../../format/categories.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { PictureField } from "../../ui/picture-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { backTo } from "./back-to.ts";
import {
  type ConferenceDraft,
  changedConferenceArgs,
  conferenceArgs,
  conferenceDraft,
  conferenceLabels,
  conferenceProblems,
  withName,
} from "./conference-draft.ts";
import { zoneLabel, zoneOptions } from "./dates.ts";
import styles from "./row-list.module.css";

const creationOf = (values: ConferenceDraft): ChangeRequest => ({
  tool: "create_conference",
  args: conferenceArgs(values),
  title: `Create ${values.name}`,
  reason: `Created the conference ${values.name}`,
  confirmLabel: "Create conference",
  done: `${values.name} was created as a draft`,
  zone: values.timezone ?? "UTC",
});

function editOf(
  { id, name }: ConferenceDetails,
  before: ConferenceDraft,
  values: ConferenceDraft,
  confirms: boolean,
): ChangeRequest | undefined {
  const changed = changedConferenceArgs(before, values);
  if (Object.keys(changed).length === 0) return undefined;
  return {
    tool: "update_conference",
    args: { conference_id: id, ...changed },
    title: `Edit ${name}`,
    reason: `Changed the conference ${name}`,
    confirms,
    confirmLabel: "Save changes",
    done: `${values.name} was changed`,
    undo: backTo("update_conference", { conference_id: id }, changed),
  };
}

/** Creates a conference, or edits the given one. */
export function ConferenceForm({ conference, onClose }: { conference?: ConferenceDetails; onClose: () => void }) {
  const navigate = useNavigate();
  const draft = useDraft({
    form: `conference ${conference?.id ?? "new"}`,
    source: conference,
    read: conferenceDraft,
    labels: conference === undefined ? undefined : conferenceLabels,
    check: conferenceProblems,
  });
  const { bind, set } = draft;
  const isNew = conference === undefined;
  return (
    <ChangeForm
      title={isNew ? "Create conference" : "Edit conference"}
      submitLabel={isNew ? "Review" : "Save changes"}
      draft={draft}
      onClose={onClose}
      change={(values) =>
        isNew
          ? creationOf(values)
          : editOf(conference, conferenceDraft(draft.base), values, draft.changedByOthers.length > 0)
      }
      onDone={({ after }) => {
        onClose();
        if (isNew) void navigate({ to: "/admin/conferences/$id", params: { id: String(after.id) } });
      }}
      {...(isNew ? { description: "It starts as a draft, which nobody but administrators sees." } : {})}
    >
      <div className="column gap-4">
        <TextField
          label={conferenceLabels.name}
          maxLength={maximumLine}
          autoFocus
          {...bind("name")}
          onChange={(name) => set((before) => (isNew ? withName(before, name) : { name }))}
        />
        <div className={styles.two}>
          <TextField label={conferenceLabels.short_name} maxLength={maximumShortName} {...bind("short_name")} />
          {isNew && (
            <TextField
              label={conferenceLabels.slug}
              mono
              maxLength={maximumSlug}
              {...bind("slug")}
              description="For imports and the command line. It cannot be changed later"
            />
          )}
        </div>
        <div className={styles.two}>
          <DateField label={conferenceLabels.start_date} {...bind("start_date")} />
          <DateField label={conferenceLabels.end_date} {...bind("end_date")} />
        </div>
        <div className={styles.two}>
          <TextField label={conferenceLabels.city} maxLength={maximumCity} {...bind("city")} />
          <ComboBox
            label={conferenceLabels.timezone}
            options={zoneOptions}
            defaultInputValue={zoneLabel(draft.values.timezone ?? "")}
            placeholder="Europe/Lisbon"
            {...bind("timezone")}
          />
        </div>
        <Select label={conferenceLabels.category} options={conferenceCategoryOptions} {...bind("category")} />
        <TextArea label={conferenceLabels.description} rows={4} maxLength={maximumLongText} {...bind("description")} />
        <PictureField
          label={conferenceLabels.banner_thumbnail_url}
          optional
          use="banner"
          {...bind("banner_thumbnail_url")}
        />
      </div>
    </ChangeForm>
  );
}
