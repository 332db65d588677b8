import { useMemo, useState } from "react";
import type { EventDetails } from "../../../../contract/console/event.ts";
import { maximumText, type Status } from "../../../../contract/nouns.ts";
import { useChange } from "../../change/use-change.tsx";
import { DraftNotice } from "../../drafts/draft-notice.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { formatCount, listOf } from "../../format/counts.ts";
import { wordsOf } from "../../format/differences.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ComboBox } from "../../ui/combo-box.tsx";
import { Form, FormActions } from "../../ui/form.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import {
  categories,
  changedDetails,
  detailsDraft,
  detailsForm,
  problemsOf,
  tiers,
  type DetailsForm as Values,
} from "./details-fields.ts";
import styles from "./details-form.module.css";

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));

const statuses = [
  { value: "approved" as const, label: "Approved", hint: "Accepted for the conference" },
  { value: "published" as const, label: "Published", hint: "Announced by the hosts" },
];

/** What is sent are the fields that were edited: others may have changed the rest. */
export function DetailsForm({ event, onClose }: { event: EventDetails; onClose: () => void }) {
  const change = useChange();
  const draft = useDraft({
    form: detailsDraft(event.id),
    source: event,
    read: detailsForm,
    check: (form, opened) => problemsOf(opened, form),
  });
  const { values, bind: set } = draft;
  const changed = changedDetails(draft.base, values);
  const names = Object.keys(changed);
  const [movesShow, setMovesShow] = useState(false);
  const isMoved = changed.start_time !== undefined;
  const withShow = isMoved && movesShow ? { move_run_of_show: true } : {};
  const submit = async () => {
    if (draft.submitted() === undefined || names.length === 0) return;
    const result = await change.open({
      tool: "update_event_details",
      args: { event_id: event.id, ...changed, ...withShow },
      title: "Change the event's details",
      reason: `Update ${listOf(names.map((name) => wordsOf(name).toLowerCase()))}`,
      confirmLabel: "Save details",
      zone: values.timezone,
      done: "Details saved",
    });
    if (result === undefined) return;
    draft.saved();
    onClose();
  };
  return (
    <Form onSubmit={() => void submit()} label="Details of the event" wide>
      <DraftNotice draft={draft} />
      <TextField label="Name" maxLength={200} autoFocus {...set("name")} />
      <When set={set} />
      {isMoved && (
        <Checkbox isSelected={movesShow} onChange={setMovesShow} hint="By as much as the start.">
          Move the run of show too
        </Checkbox>
      )}
      <div className={styles.pair}>
        <TextField label="Venue" optional maxLength={200} {...set("venue")} />
        <NumberField
          label="Capacity"
          optional
          minValue={0}
          maxValue={10_000_000}
          {...set("capacity")}
          value={values.capacity ?? Number.NaN}
          onChange={(value) => set("capacity").onChange(Number.isNaN(value) ? null : value)}
        />
      </div>
      <TextField label="Venue address" optional maxLength={400} {...set("venue_address")} />
      <TextArea label="Description" optional rows={6} maxLength={maximumText} {...set("description")} />
      <div className={styles.three}>
        {event.status !== "draft" && <Select<Status> label="Status" options={statuses} {...set("status")} />}
        <Select label="Category" options={optionsOf(categories)} {...set("category")} />
        <Select label="Tier" options={optionsOf(tiers)} {...set("tier")} />
      </div>
      <TextField label="Ticketing page" optional type="url" description="Where guests register." {...set("luma_url")} />
      <TextField label="Tile image address" optional type="url" {...set("tile_image_url")} />
      <FormActions>
        <Button type="submit" kind="primary" isDisabled={names.length === 0}>
          Review changes
        </Button>
        <Button onPress={draft.closing(onClose)}>Cancel</Button>
        <span role="status" className={styles.count}>
          {names.length === 0 ? "Nothing changed yet" : `${formatCount(names.length)} changed`}
        </span>
      </FormActions>
    </Form>
  );
}

type Set = <Name extends keyof Values>(
  name: Name,
) => { value: Values[Name]; onChange: (value: Values[Name]) => void; error: string | undefined };

function When({ set }: { set: Set }) {
  const zone = set("timezone");
  const zones = useMemo(() => {
    const all = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), zone.value]);
    return [...all].map((value) => ({ value, label: value }));
  }, [zone.value]);
  return (
    <div className={styles.three}>
      <TextField label="Starts" type="datetime-local" {...set("start")} />
      <TextField label="Ends" type="datetime-local" {...set("end")} />
      <ComboBox
        label="Time zone"
        options={zones}
        {...zone}
        onChange={(value) => value !== null && zone.onChange(value)}
        description="Start and end are local times of this zone."
      />
    </div>
  );
}
