import { statuses as allStatuses, type Status } from "../../../../contract/nouns.ts";
import { useChange } from "../../change/use-change.tsx";
import { Status as StatusBadge, type Tone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";

type Words = { label: string; verb: string; past: string; done: string; tone: Tone; icon: IconName; hint: string };

export const statuses: Record<Status, Words> = {
  draft: {
    label: "Draft",
    verb: "Make a draft",
    past: "Made a draft of",
    done: "is a draft",
    tone: "neutral",
    icon: "edit",
    hint: "Only administrators see it",
  },
  approved: {
    label: "Approved",
    verb: "Approve",
    past: "Approved",
    done: "is approved",
    tone: "accent",
    icon: "check",
    hint: "Keys and hosts see it",
  },
  published: {
    label: "Published",
    verb: "Publish",
    past: "Published",
    done: "is published",
    tone: "success",
    icon: "check-circle",
    hint: "Keys and hosts see it",
  },
  archived: {
    label: "Archived",
    verb: "Archive",
    past: "Archived",
    done: "is archived",
    tone: "neutral",
    icon: "lock",
    hint: "It is over: only administrators see it",
  },
};

export const statusOptions = [
  { value: "", label: "Any status" },
  ...allStatuses.map((value) => ({ value, label: statuses[value].label })),
];

export function StatusLabel({ status }: { status: Status }) {
  const { label, tone, icon } = statuses[status];
  return (
    <StatusBadge tone={tone} icon={icon}>
      {label}
    </StatusBadge>
  );
}

type Props = {
  noun: "conference" | "event";
  id: string;
  name: string;
  status: Status;
  /** Why the new status may not have the effect that one expects. */
  warnings?: (status: Status) => string[];
};

/** Changes the status of a conference or an event, through the change dialog. */
export function StatusMenu({ noun, id, name, status, warnings }: Props) {
  const change = useChange();
  const setTo = (next: Status) => {
    const { verb, past, done } = statuses[next];
    const tool = `set_${noun}_status`;
    void change.open({
      tool,
      args: { [`${noun}_id`]: id, status: next },
      title: `${verb}: ${name}`,
      reason: `${past} the ${noun} ${name}`,
      confirmLabel: `${verb.replace("Make a draft", "Make it a draft")}`,
      done: `${name} ${done}`,
      warnings: warnings?.(next) ?? [],
      undo: { tool, args: { [`${noun}_id`]: id, status } },
    });
  };
  return (
    <Menu trigger={<Button kind="primary">Change status</Button>} label="Change status">
      {allStatuses.map((value) => (
        <MenuItem
          key={value}
          label={statuses[value].verb}
          hint={statuses[value].hint}
          icon={statuses[value].icon}
          isCurrent={value === status}
          isDisabled={value === status}
          onAction={() => setTo(value)}
        />
      ))}
    </Menu>
  );
}
