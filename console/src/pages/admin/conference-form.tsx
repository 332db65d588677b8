import { useNavigate } from "@tanstack/react-router";
import { useChange } from "../../change/use-change.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import type { Conference } from "./admin-api.ts";
import { conferenceCategories } from "./categories.ts";
import { zoneLabel, zoneOptions } from "./dates.ts";
import { FormDialog } from "./form-dialog.tsx";
import styles from "./row-list.module.css";
import { type Problems, required, slugOf, useDraft } from "./use-draft.ts";

type Draft = {
  name: string;
  short_name: string;
  slug: string;
  city: string;
  timezone: string | null;
  start_date: string;
  end_date: string;
  category: string;
  description: string;
  banner_thumbnail_url: string;
};

const nothing: Draft = {
  ...{ name: "", short_name: "", slug: "", city: "", timezone: null, start_date: "", end_date: "" },
  ...{ category: "mainline", description: "", banner_thumbnail_url: "" },
};

function check(draft: Draft): Problems<Draft> {
  return {
    name: required(draft.name, "a name"),
    short_name: required(draft.short_name, "a short name"),
    slug: required(draft.slug, "a slug"),
    city: required(draft.city, "a city"),
    timezone: required(draft.timezone, "a time zone"),
    start_date: required(draft.start_date, "the first day"),
    end_date:
      required(draft.end_date, "the last day") ??
      (draft.end_date < draft.start_date ? "The last day is before the first" : undefined),
    description: required(draft.description, "a description"),
  };
}

/** Creates a conference, or edits the given one. */
export function ConferenceForm({ conference, onClose }: { conference?: Conference; onClose: () => void }) {
  const change = useChange();
  const navigate = useNavigate();
  const initial = conference === undefined ? nothing : draftOf(conference);
  const { draft, bind, submitted, setDraft } = useDraft(initial, check);
  const submit = async () => {
    const values = submitted();
    if (values === undefined) return;
    if (conference === undefined) {
      const created = await change.open({
        ...{ tool: "create_conference", args: argsOf(values), title: `Create ${values.name}` },
        ...{ reason: `Create conference ${values.name}`.slice(0, 200), confirmLabel: "Create conference" },
        ...{ done: `${values.name} was created as a draft`, zone: values.timezone ?? "UTC" },
      });
      if (created === undefined) return;
      onClose();
      void navigate({ to: "/admin/conferences/$id", params: { id: String(created.after.id) } });
      return;
    }
    const before = argsOf(initial);
    const changed = Object.entries(argsOf(values)).filter(([name, value]) => before[name] !== value && name !== "slug");
    if (changed.length === 0) return onClose();
    const done = await change.open({
      ...{ tool: "update_conference", args: { conference_id: conference.id, ...Object.fromEntries(changed) } },
      ...{ title: `Edit ${conference.name}`, reason: `Edit conference ${conference.name}`.slice(0, 200) },
      ...{ confirmLabel: "Save changes", done: `${values.name} was changed` },
    });
    if (done !== undefined) onClose();
  };
  const isNew = conference === undefined;
  return (
    <FormDialog
      title={isNew ? "Create conference" : "Edit conference"}
      submitLabel="Review"
      onClose={onClose}
      onSubmit={() => void submit()}
      {...(isNew ? { description: "It starts as a draft, which nobody but administrators sees." } : {})}
    >
      <div className={styles.stack}>
        <TextField
          label="Name"
          autoFocus
          {...bind("name")}
          onChange={(name) =>
            setDraft((before) => ({
              ...before,
              name,
              ...(isNew && before.slug === slugOf(before.name) ? { slug: slugOf(name) } : {}),
              ...(isNew && before.short_name === before.name.slice(0, 60) ? { short_name: name.slice(0, 60) } : {}),
            }))
          }
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
            defaultInputValue={zoneLabel(draft.timezone ?? "")}
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

function draftOf(conference: Conference): Draft {
  const names = Object.keys(nothing) as (keyof Draft)[];
  return Object.fromEntries(names.map((name) => [name, conference[name] ?? nothing[name]])) as Draft;
}

function argsOf(draft: Draft): Record<string, unknown> {
  return { ...draft, banner_thumbnail_url: draft.banner_thumbnail_url === "" ? null : draft.banner_thumbnail_url };
}
