import { Fragment } from "react";
import { formatDay, formatDuration } from "../../../format/times.ts";
import { classes } from "../../../ui/classes.ts";
import { Icon } from "../../../ui/icon.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import type { Gap, Placed, Plan } from "./layout.ts";
import { problemIcons } from "./segment-box.tsx";
import styles from "./segment-table.module.css";
import { clockRange, kindNames, type Names, nameOf, problemsInWords } from "./words.ts";

/** Minutes by which the menu of a segment moves it, and changes its length. */
const steps = [-5, 5, 15];

type Props = {
  plan: Plan;
  names: Names;
  zone: string;
  onOpen: (id: string) => void;
  /** Undefined for those who may not change anything. */
  onStep?: ((id: string, minutes: number, resize: boolean) => void) | undefined;
  onAdd?: ((gap: Gap) => void) | undefined;
  onRemove?: ((id: string) => void) | undefined;
};

/** The run of show as a table: for phones, for screen readers, and for those who like lists. */
export function SegmentTable(props: Props) {
  const { plan, zone, onAdd } = props;
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Run of show</caption>
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col" className={styles.wide}>
            Length
          </th>
          <th scope="col">Segment</th>
          <th scope="col" className={styles.wide}>
            Location
          </th>
          <th scope="col" className={styles.wide}>
            Speakers
          </th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {plan.placed.map((segment, index) => {
          const previous = plan.placed[index - 1];
          const day = formatDay(segment.start, zone);
          const gap = plan.gaps.find(({ kind, to }) => kind === "between" && to === segment.start);
          const isNewDay = previous === undefined || formatDay(previous.start, zone) !== day;
          return (
            <Fragment key={segment.id}>
              {gap !== undefined && previous?.start !== segment.start && <GapRow gap={gap} onAdd={onAdd} />}
              {isNewDay && (
                <tr className={styles.day}>
                  <th colSpan={6} scope="rowgroup">
                    {day}
                  </th>
                </tr>
              )}
              <SegmentRow {...props} segment={segment} />
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

function GapRow({ gap, onAdd }: { gap: Gap; onAdd: Props["onAdd"] }) {
  const length = formatDuration(gap.to - gap.from);
  return (
    <tr className={styles.gap}>
      <td colSpan={6}>
        <span className={styles.gapLine}>
          <span>Gap · {length}</span>
          {onAdd !== undefined && (
            <IconButton
              icon="plus"
              size="small"
              label={`Add a segment in the gap of ${length}`}
              onPress={() => onAdd(gap)}
            />
          )}
        </span>
      </td>
    </tr>
  );
}

function SegmentRow({ segment, plan, names, zone, onOpen, onStep, onRemove }: Props & { segment: Placed }) {
  const { id, title, kind, start, end, location, speaker_ids, isMoved, notes } = segment;
  const problems = problemsInWords(plan, id, names);
  const speakers = speaker_ids.map((speaker) => nameOf(names, speaker)).join(", ");
  return (
    <tr className={classes(isMoved && styles.moved)}>
      <td className={styles.time}>
        {clockRange(segment, zone)}
        <span className={styles.narrow}>{formatDuration(end - start)}</span>
      </td>
      <td className={classes(styles.wide, "muted nowrap")}>{formatDuration(end - start)}</td>
      <th scope="row">
        <button type="button" data-segment={id} className={styles.title} dir="auto" onClick={() => onOpen(id)}>
          {title}
        </button>
        <span className={styles.facts}>
          {kindNames[kind]}
          {isMoved && <span className={styles.unsaved}> · Not saved</span>}
          {notes !== null && " · Notes"}
          <span className={styles.narrowInline}>
            {[location, speakers || null].filter((part) => part !== null).map((part) => ` · ${part}`)}
          </span>
        </span>
        {problems.map((problem) => (
          <span key={problem.kind} className={styles.problem} data-kind={problem.kind}>
            <Icon name={problemIcons[problem.kind]} size={14} />
            {problem.long}
          </span>
        ))}
      </th>
      <td className={styles.wide} dir="auto">
        {location}
      </td>
      <td className={styles.wide} dir="auto">
        {speakers}
      </td>
      <td className={styles.actions}>
        {onStep !== undefined && <RowMenu id={id} title={title} onOpen={onOpen} onStep={onStep} onRemove={onRemove} />}
      </td>
    </tr>
  );
}

type RowMenuProps = Pick<Props, "onOpen" | "onRemove"> & {
  id: string;
  title: string;
  onStep: NonNullable<Props["onStep"]>;
};

function RowMenu({ id, title, onOpen, onStep, onRemove }: RowMenuProps) {
  return (
    <Menu size="small" label={`Change ${title}`}>
      <MenuItem icon="edit" label="Edit" onAction={() => onOpen(id)} />
      <MenuSeparator />
      {steps.map((minutes) => (
        <MenuItem
          key={`move ${minutes}`}
          label={`${Math.abs(minutes)} min ${minutes < 0 ? "earlier" : "later"}`}
          onAction={() => onStep(id, minutes, false)}
        />
      ))}
      <MenuSeparator />
      {steps.map((minutes) => (
        <MenuItem
          key={`resize ${minutes}`}
          label={`${Math.abs(minutes)} min ${minutes < 0 ? "shorter" : "longer"}`}
          onAction={() => onStep(id, minutes, true)}
        />
      ))}
      <MenuSeparator />
      <MenuItem icon="trash" label="Remove" danger onAction={() => onRemove?.(id)} />
    </Menu>
  );
}
