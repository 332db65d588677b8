import { daysBefore } from "./calendar.js";
import type { DemoContent, DemoGuestList } from "./content.js";
import type { DemoSource, RegistrationRow } from "./demo-document.js";
import { eventId, itemAt, stableId, stableNumber, stablePick } from "./stable-id.js";

type GuestName = { name: string; email: string };
type Status = keyof DemoContent["guestAnswers"]["notes"];

/** Registration opens this many days ago; every event was created earlier. */
const firstRegistrationDays = 56;
const lastRegistrationDays = 4;
const earlyCheckInDays = 2;

export function buildRegistrations({ content, now }: DemoSource): RegistrationRow[] {
  const guests = combineNames(content.guestNames);
  return content.guestLists.flatMap((list) => registrationsOf(list, guests, content.guestAnswers, now));
}

function registrationsOf(
  list: DemoGuestList,
  guests: readonly GuestName[],
  { answers_by_ticket, sources, notes, early_check_in_note }: DemoContent["guestAnswers"],
  now: Date,
): RegistrationRow[] {
  const statuses = statusesOf(list);
  const eventKey = list.event.key;
  const firstGuest = stableNumber(`first guest ${eventKey}`, guests.length);
  const spreadDays = firstRegistrationDays - lastRegistrationDays;
  return statuses.map(({ status, checkedIn }, position) => {
    // A stride coprime with the number of guests visits each guest once.
    const guest = itemAt(guests, firstGuest + position * coprimeStride(guests.length));
    const label = `registration ${eventKey} ${guest.email}`;
    // First come, first served: approved guests are first in the list, so their registrations are the oldest.
    const ageDays = firstRegistrationDays - Math.floor((position * spreadDays) / statuses.length);
    const ticket = stablePick(`ticket ${label}`, list.tickets);
    return {
      id: stableId(label),
      event: eventId(eventKey),
      name: guest.name,
      email: guest.email,
      status,
      ticket_type: ticket,
      answers: answersOf(list, guest, answers_by_ticket[ticket] ?? {}),
      source: stablePick(`source ${label}`, sources),
      note: checkedIn && position % 3 === 0 ? early_check_in_note : noteOf(label, notes[status]),
      registered_at: daysBefore(now, ageDays, stableNumber(`minute ${label}`, 1440)),
      checked_in_at: checkedIn
        ? daysBefore(now, earlyCheckInDays, -stableNumber(`badge ${label}`, earlyCheckInDays * 1440))
        : null,
    };
  });
}

/** One entry per guest, in the order in which they registered. */
function statusesOf(list: DemoGuestList): { status: Status; checkedIn: boolean }[] {
  const repeat = (status: Status, checkedIn = 0) =>
    Array.from({ length: list[status] }, (_, position) => ({ status, checkedIn: position < checkedIn }));
  return [...repeat("approved", list.checked_in), ...repeat("declined"), ...repeat("waitlisted"), ...repeat("pending")];
}

/** A guest gives the same answer to the same question at every event. */
function answersOf(list: DemoGuestList, { email }: GuestName, fixed: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    list.questions.map(({ name, choices }) => [name, fixed[name] ?? stablePick(`${name} ${email}`, choices)]),
  );
}

function noteOf(label: string, notes: readonly string[]): string | null {
  return stableNumber(`has note ${label}`, 6) === 0 ? stablePick(`note ${label}`, notes) : null;
}

const combinationRounds = 20;

/** Several hundred distinct guests, alternating between the groups of names. */
function combineNames({ groups, names_in_other_scripts, email_domains }: DemoContent["guestNames"]): GuestName[] {
  const guests = new Map<string, GuestName>();
  const add = (name: string, mailbox: string) => {
    if (guests.has(mailbox)) return;
    guests.set(mailbox, { name, email: `${mailbox}@${stablePick(mailbox, email_domains)}` });
  };
  for (let round = 0; round < combinationRounds; round += 1) {
    const { name, mailbox } = itemAt(names_in_other_scripts, round);
    add(name, mailbox);
    for (const { given, family } of groups) {
      const fullName = `${itemAt(given, round)} ${itemAt(family, round * 3 + given.length)}`;
      add(fullName, mailboxOf(fullName));
    }
  }
  return [...guests.values()];
}

const lettersWithoutDecomposition: Record<string, string> = { ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss", æ: "ae" };

function mailboxOf(name: string): string {
  return name
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[łøđıßæ]/g, (letter) => lettersWithoutDecomposition[letter] ?? "")
    .replace(/[^a-z]+/g, ".");
}

function coprimeStride(size: number): number {
  let stride = 37;
  while (greatestCommonDivisor(stride, size) !== 1) stride += 1;
  return stride;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
