import { type ReactNode, useMemo } from "react";
import {
  maximumCapacity,
  maximumLine,
  maximumText,
  maximumUrl,
  maximumVenueAddress,
  type Status,
} from "../../../../contract/nouns.ts";
import { eventCategoryOptions } from "../../format/categories.ts";
import { ComboBox } from "../../ui/combo-box.tsx";
import { DateTimeField } from "../../ui/date-time-field.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { PictureField } from "../../ui/picture-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { detailsLabels, tiers, type DetailsForm as Values } from "./details-fields.ts";
import styles from "./details-form.module.css";

const optionsOf = <Value extends string>(labels: Record<Value, string>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));

const statuses = [
  { value: "approved" as const, label: "Approved", hint: "Accepted for the conference" },
  { value: "published" as const, label: "Published", hint: "Announced by the hosts" },
];

type Set = <Name extends keyof Values>(
  name: Name,
) => { value: Values[Name]; onChange: (value: Values[Name]) => void; error: string | undefined };

type Props = {
  set: Set;
  /** Administrators of the platform have other ways to change these. */
  hasStatus?: boolean;
  hasTicketingPage?: boolean;
  eventId: string;
  afterTimes?: ReactNode;
};

/** The fields of what describes an event. */
export function DetailsInputs({ set, hasStatus = false, hasTicketingPage = false, eventId, afterTimes }: Props) {
  return (
    <>
      <TextField label={detailsLabels.name} maxLength={maximumLine} autoFocus {...set("name")} />
      <When set={set} />
      {afterTimes}
      <div className={styles.pair}>
        <TextField label={detailsLabels.venue} optional maxLength={maximumLine} {...set("venue")} />
        <NumberField
          label={detailsLabels.capacity}
          optional
          minValue={0}
          maxValue={maximumCapacity}
          {...set("capacity")}
          value={set("capacity").value ?? Number.NaN}
          onChange={(value) => set("capacity").onChange(Number.isNaN(value) ? null : value)}
        />
      </div>
      <TextField
        label={detailsLabels.venue_address}
        optional
        maxLength={maximumVenueAddress}
        {...set("venue_address")}
      />
      <TextArea label={detailsLabels.description} optional rows={6} maxLength={maximumText} {...set("description")} />
      <div className={styles.three}>
        {hasStatus && <Select<Status> label={detailsLabels.status} options={statuses} {...set("status")} />}
        <Select label={detailsLabels.category} options={eventCategoryOptions} {...set("category")} />
        <Select label={detailsLabels.tier} options={optionsOf(tiers)} {...set("tier")} />
      </div>
      {hasTicketingPage && (
        <TextField
          label={detailsLabels.luma_url}
          optional
          type="url"
          description="Where guests register."
          maxLength={maximumUrl}
          {...set("luma_url")}
        />
      )}
      <PictureField
        label={detailsLabels.tile_image_url}
        optional
        use="tile"
        event={eventId}
        {...set("tile_image_url")}
      />
    </>
  );
}

function When({ set }: { set: Set }) {
  const zone = set("timezone");
  const zones = useMemo(() => {
    const all = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), zone.value]);
    return [...all].map((value) => ({ value, label: value }));
  }, [zone.value]);
  return (
    <div className="beside">
      <DateTimeField label={detailsLabels.start} {...set("start")} />
      <DateTimeField label={detailsLabels.end} {...set("end")} />
      <ComboBox
        label={detailsLabels.timezone}
        options={zones}
        {...zone}
        onChange={(value) => value !== null && zone.onChange(value)}
        description="Start and end are local times of this zone."
      />
    </div>
  );
}
