import {
  answerChoices,
  earlyBadgeNote,
  type GuestList,
  guestLists,
  notes,
  sources,
  studentAnswers,
} from "./content/guest-lists.js";
import { nameGroups, namesInOtherScripts } from "./content/guest-names.js";
import { daysBefore } from "./demo-calendar.js";
import type { RegistrationRow } from "./import-document.js";
import { itemAt, stableId, stableNumber, stablePick } from "./stable-id.js";

type Guest = { name: string; email: string };

/** Registrations open this many days ago; every event is older. */
const firstRegistrationDays = 56;
const earlyBadgeDays = 2;
const guestDomains = ["example.com", "example.org", "example.net"] as const;

export function buildRegistrations(now: Date): RegistrationRow[] {
  const guests = knownGuests();
  return guestLists.flatMap((list) => registrationsOf(list, guests, now));
}

function registrationsOf(list: GuestList, guests: readonly Guest[], now: Date): RegistrationRow[] {
  const firstGuest = stableNumber(`first guest ${list.event}`, guests.length);
  return statusesOf(list).map(({ status, checkedIn }, position): RegistrationRow => {
    // A stride that has no divisor in common with the number of guests visits each of them once.
    const guest = itemAt(guests, firstGuest + position * strideThrough(guests.length));
    const label = `registration ${list.event} ${guest.email}`;
    // Who came first got a seat: later places in the list registered later.
    const ageDays = firstRegistrationDays - Math.floor((position * (firstRegistrationDays - 4)) / sizeOf(list));
    const ticket = stablePick(`ticket ${label}`, list.tickets);
    return {
      id: stableId(label),
      event: stableId(`event ${list.event}`),
      name: guest.name,
      email: guest.email,
      status,
      ticket_type: ticket,
      answers: answersOf(list, guest, ticket),
      source: stablePick(`source ${label}`, sources),
      note: checkedIn && position % 3 === 0 ? earlyBadgeNote : noteOf(status, label),
      registered_at: daysBefore(now, ageDays, stableNumber(`minute ${label}`, 1440)),
      checked_in_at: checkedIn
        ? daysBefore(now, earlyBadgeDays, -stableNumber(`badge ${label}`, earlyBadgeDays * 1440))
        : null,
    };
  });
}

function statusesOf(list: GuestList): { status: keyof typeof notes; checkedIn: boolean }[] {
  const repeat = (status: keyof typeof notes, count: number) =>
    Array.from({ length: count }, (_, position) => ({
      status,
      checkedIn: status === "approved" && position < list.checkedIn,
    }));
  return [
    ...repeat("approved", list.approved),
    ...repeat("declined", list.declined),
    ...repeat("waitlisted", list.waitlisted),
    ...repeat("pending", list.pending),
  ];
}

/** A guest gives the same answer to the same question everywhere. */
function answersOf(list: GuestList, { email }: Guest, ticket: string): Record<string, unknown> {
  const fixed: Record<string, string> = ticket === "Student" ? studentAnswers : {};
  return Object.fromEntries(
    list.questions.map((question) => [
      question,
      fixed[question] ?? stablePick<string | boolean>(`${question} ${email}`, answerChoices[question]),
    ]),
  );
}

function noteOf(status: keyof typeof notes, label: string): string | null {
  return stableNumber(`has note ${label}`, 6) === 0 ? stablePick<string>(`note ${label}`, notes[status]) : null;
}

function sizeOf({ approved, waitlisted, declined, pending }: GuestList): number {
  return approved + waitlisted + declined + pending;
}

/** Several hundred people, each with one address; those of all groups mixed. */
function knownGuests(): Guest[] {
  const guests = new Map<string, Guest>();
  const roundsOfGroups = 20;
  for (let round = 0; round < roundsOfGroups; round += 1) {
    const [name, address] = itemAt(namesInOtherScripts, round);
    addGuest(guests, name, address);
    for (const { given, family } of nameGroups) {
      const fullName = `${itemAt(given, round)} ${itemAt(family, round * 3 + given.length)}`;
      addGuest(guests, fullName, addressOf(fullName));
    }
  }
  return [...guests.values()];
}

function addGuest(guests: Map<string, Guest>, name: string, address: string): void {
  if (!guests.has(address)) guests.set(address, { name, email: `${address}@${stablePick(address, guestDomains)}` });
}

const lettersWithoutDecomposition: Record<string, string> = { ł: "l", ø: "o", đ: "d", ı: "i", ß: "ss", æ: "ae" };

function addressOf(name: string): string {
  return name
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[łøđıßæ]/g, (letter) => lettersWithoutDecomposition[letter] ?? "")
    .replace(/[^a-z]+/g, ".");
}

function strideThrough(size: number): number {
  let stride = 37;
  while (greatestCommonDivisor(stride, size) !== 1) stride += 1;
  return stride;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
