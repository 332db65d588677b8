import type { RegistrationAction } from "../../../../../contract/registrations.ts";
import type { Guest } from "../../../../../contract/schema/registrations.ts";
import type { ChangeRequest } from "../../../change/change-request.ts";
import { useChange } from "../../../change/use-change.tsx";
import { Button, type ButtonKind } from "../../../ui/button.tsx";
import type { IconName } from "../../../ui/icon.tsx";

type Move = {
  label: string;
  tool: string;
  args?: { checked_in: boolean };
  kind: ButtonKind;
  icon?: IconName;
  forMembers?: boolean;
  /** What the record says was done. */
  past: string;
  done: string;
};

const checkInTool = "set_event_registration_check_in";

const moves: Record<RegistrationAction, Move> = {
  check_in: {
    label: "Check in",
    tool: checkInTool,
    args: { checked_in: true },
    kind: "primary",
    icon: "check",
    forMembers: true,
    past: "Checked in",
    done: "is checked in",
  },
  check_out: {
    label: "Undo check-in",
    tool: checkInTool,
    args: { checked_in: false },
    kind: "secondary",
    icon: "undo",
    forMembers: true,
    past: "Undid the check-in",
    done: "is no longer checked in",
  },
  approve: {
    label: "Approve",
    tool: "approve_event_registration",
    kind: "primary",
    past: "Approved",
    done: "is approved",
  },
  restore: {
    label: "Restore",
    tool: "restore_event_registration",
    kind: "primary",
    past: "Restored",
    done: "is restored",
  },
  waitlist: {
    label: "Waitlist",
    tool: "waitlist_event_registration",
    kind: "secondary",
    past: "Waitlisted",
    done: "is on the waiting list",
  },
  decline: {
    label: "Decline",
    tool: "decline_event_registration",
    kind: "secondary",
    past: "Declined",
    done: "is declined",
  },
};

type Props = { event: string; guest: Pick<Guest, "id" | "name">; moves: RegistrationAction[]; canChange: boolean };

/** What the guest's state allows, for people who may. */
export function GuestActions({ event, guest, moves: open, canChange }: Props) {
  const change = useChange();
  const shown = (Object.keys(moves) as RegistrationAction[]).filter(
    (move) => open.includes(move) && (canChange || moves[move].forMembers),
  );
  if (shown.length === 0) return null;
  return (
    <div className="flex wrap gap-2">
      {shown.map((move) => {
        const { label, kind, icon } = moves[move];
        return (
          <Button
            key={move}
            kind={kind}
            {...(icon === undefined ? {} : { icon })}
            onPress={() => change.open(requestFor(move, event, guest))}
          >
            {label}
          </Button>
        );
      })}
    </div>
  );
}

function requestFor(move: RegistrationAction, event: string, guest: Pick<Guest, "id" | "name">): ChangeRequest {
  const { label, past, done, tool, args } = moves[move];
  return {
    tool,
    args: { event_id: event, registration_id: guest.id, ...args },
    title: `${label}: ${guest.name}`,
    confirmLabel: label,
    done: `${guest.name} ${done}`,
    reason: `${past} from the guest list`,
    danger: move === "decline",
  };
}
