import type { RegistrationStatus } from "../../../../../contract/nouns.ts";
import type { Guest } from "../../../../../contract/schema/registrations.ts";
import { Status, type Tone } from "../../../ui/badge.tsx";
import type { IconName } from "../../../ui/icon.tsx";

const looks: Record<RegistrationStatus, { tone: Tone; icon: IconName; label: string }> = {
  pending: { tone: "warning", icon: "clock", label: "Pending" },
  approved: { tone: "neutral", icon: "check", label: "Approved" },
  waitlisted: { tone: "neutral", icon: "list", label: "Waitlisted" },
  declined: { tone: "danger", icon: "x-circle", label: "Declined" },
};

export const statusWord = (status: RegistrationStatus): string => looks[status].label;

export function GuestStatusLabel({ status, checked_in_at }: Pick<Guest, "status" | "checked_in_at">) {
  if (checked_in_at !== null) {
    return (
      <Status tone="success" icon="check-circle">
        Checked in
      </Status>
    );
  }
  const { tone, icon, label } = looks[status];
  return (
    <Status tone={tone} icon={icon}>
      {label}
    </Status>
  );
}
