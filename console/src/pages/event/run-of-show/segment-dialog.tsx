import type { Segment, SpeakerName } from "../../../../../contract/console/event.ts";
import { maximumLine, maximumText, segmentKinds } from "../../../../../contract/nouns.ts";
import { longestMinutes, shortestMinutes } from "../../../../../contract/run-of-show.ts";
import type { Json } from "../../../api/tools.ts";
import { ChangeForm } from "../../../change/change-form.tsx";
import type { ChangeRequest } from "../../../change/change-request.ts";
import { DifferenceList } from "../../../change/difference-list.tsx";
import { useDraft } from "../../../drafts/use-draft.ts";
import { listOf } from "../../../format/counts.ts";
import { wordsOf } from "../../../format/differences.ts";
import { formatClock, formatDay, zoneName } from "../../../format/times.ts";
import { fromZonedInput, toZonedInput } from "../../../format/zoned-input.ts";
import { Button } from "../../../ui/button.tsx";
import { DateTimeField } from "../../../ui/date-time-field.tsx";
import { Warnings } from "../../../ui/inline-notice.tsx";
import { NumberField } from "../../../ui/number-field.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextArea, TextField } from "../../../ui/text-field.tsx";
import { type CurrentEvent, useEvent } from "../event-page.ts";
import { type Move, minuteMs, type Plan, planOf } from "./layout.ts";
import styles from "./segment-dialog.module.css";
import { segmentDifferences } from "./segment-differences.ts";
import {
  formArguments,
  formOf,
  formProblems,
  type NewSegment,
  newForm,
  type SegmentForm,
  segmentLabels,
} from "./segment-form.ts";
import { SpeakerPicker } from "./speaker-picker.tsx";
import { kindNames, type Names, problemsInWords } from "./words.ts";

type Props = {
  /** The segment as it is stored, or where a new one begins. */
  target: Segment | NewSegment;
  /** Where the segment was moved without saving: the form begins with it. */
  moved?: Move | undefined;
  plan: Plan;
  speakers: SpeakerName[];
  names: Names;
  onSaved?: (id: string) => void;
  /** Undefined for a new segment. */
  onRemove?: () => void;
  onClose: () => void;
};

const kindOptions = segmentKinds.map((value) => ({ value, label: kindNames[value] }));

/** Adds a segment, or edits one. Stays open until the change is made, so that nothing typed is lost. */
export function SegmentDialog({ target, moved, plan, speakers, names, onSaved, onRemove, onClose }: Props) {
  const event = useEvent();
  const zone = event.timezone;
  const segment = "id" in target ? target : undefined;
  const draft = useDraft({
    form: segment === undefined ? `new-segment ${event.id}` : `segment ${segment.id}`,
    source: { target, moved },
    read: (source) => firstForm(source.target, source.moved, zone),
    labels: segment === undefined ? undefined : segmentLabels,
    check: (values) => formProblems(values, zone),
  });
  const { values: form, bind: set, base } = draft;
  const before = "id" in base.target ? formOf(base.target, zone) : undefined;
  const args = formArguments(form, before, zone);
  const isUnchanged = segment !== undefined && Object.keys(args).length === 0;
  const warnings = warningsFor(form, segment, plan, names, zone);
  return (
    <ChangeForm
      draft={draft}
      onClose={onClose}
      size="large"
      title={segment === undefined ? "Add a segment" : `Edit ${segment.title}`}
      label="Segment"
      wide
      submitLabel={segment === undefined ? "Add segment" : "Save segment"}
      isDisabled={isUnchanged}
      change={() =>
        isUnchanged ? undefined : changeOf({ event, segment, args, confirms: draft.changedByOthers.length > 0 })
      }
      onDone={() => {
        if (segment !== undefined) onSaved?.(segment.id);
        onClose();
      }}
      action={
        onRemove !== undefined && (
          <Button kind="quiet" icon="trash" onPress={onRemove}>
            Remove
          </Button>
        )
      }
    >
      <TextField label={segmentLabels.title} maxLength={maximumLine} autoFocus {...set("title")} />
      <div className={styles.columns}>
        <DateTimeField
          label={`${segmentLabels.start}, ${zoneName(zone)}`}
          description={endsAt(form, zone)}
          {...set("start")}
        />
        <NumberField
          label={segmentLabels.minutes}
          minValue={shortestMinutes}
          maxValue={longestMinutes}
          {...set("minutes")}
        />
        <Select label={segmentLabels.kind} options={kindOptions} {...set("kind")} />
        <TextField label={segmentLabels.location} optional maxLength={maximumLine} {...set("location")} />
      </div>
      <Warnings texts={warnings} />
      <SpeakerPicker speakers={speakers} {...set("speakerIds")} />
      <TextArea
        label={segmentLabels.notes}
        optional
        description="For the crew only."
        rows={4}
        maxLength={maximumText}
        {...set("notes")}
      />
    </ChangeForm>
  );
}

function firstForm(target: Segment | NewSegment, moved: Move | undefined, zone: string): SegmentForm {
  if (!("id" in target)) return newForm(target, zone);
  const stored = formOf(target, zone);
  return moved === undefined ? stored : { ...stored, start: toZonedInput(moved.start, zone), minutes: moved.minutes };
}

function endsAt({ start, minutes }: SegmentForm, zone: string): string {
  const at = fromZonedInput(start, zone);
  if (at === undefined || Number.isNaN(minutes)) return "";
  const end = Date.parse(at) + minutes * minuteMs;
  return `Ends ${formatDay(end, zone)}, ${formatClock(end, zone)}`;
}

/** What would be wrong with the segment as the form has it. */
function warningsFor(
  form: SegmentForm,
  segment: Segment | undefined,
  plan: Plan,
  names: Names,
  zone: string,
): string[] {
  const start_time = fromZonedInput(form.start, zone);
  if (start_time === undefined || !(form.minutes > 0)) return [];
  const id = segment?.id ?? "new";
  const edited: Segment = {
    id,
    title: form.title,
    kind: form.kind,
    start_time,
    duration_minutes: form.minutes,
    location: null,
    notes: null,
    speaker_ids: form.speakerIds,
  };
  const others = plan.placed.filter((other) => other.id !== id);
  const moves = new Map(
    others.map((other) => [other.id, { start: other.start, minutes: (other.end - other.start) / minuteMs }]),
  );
  return problemsInWords(planOf([...others, edited], moves, plan.window), id, names).map(({ long }) => `${long}.`);
}

type Edited = { event: CurrentEvent; segment: Segment | undefined; args: Json; confirms: boolean };

function changeOf({ event, segment, args, confirms }: Edited): ChangeRequest {
  const common: Pick<ChangeRequest, "confirms" | "zone" | "describe"> = {
    confirms,
    zone: event.timezone,
    describe: (preview) => <DifferenceList differences={segmentDifferences(preview, event.timezone)} />,
  };
  if (segment === undefined) {
    return {
      ...common,
      tool: "create_event_segment",
      args: { event_id: event.id, ...args },
      title: `Add ${args.title}`,
      reason: `Added ${args.title} to the run of show`,
      confirmLabel: "Add segment",
      done: "Segment added",
    };
  }
  const fields = Object.keys(args).map((field) => wordsOf(field.replace(/_ids$|_minutes$|_time$/, "")).toLowerCase());
  return {
    ...common,
    tool: "update_event_segment",
    args: { event_id: event.id, segment_id: segment.id, ...args },
    title: `Change ${segment.title}`,
    reason: `Changed ${listOf(fields)} of ${segment.title}`,
    confirmLabel: "Save segment",
    done: "Segment saved",
  };
}
