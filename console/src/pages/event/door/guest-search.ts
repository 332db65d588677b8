import { folded } from "../../../format/folded.ts";
import type { DoorGuest } from "./door-types.ts";

export type IndexedGuest = { guest: DoorGuest; text: string };

export function indexGuest(guest: DoorGuest): IndexedGuest {
  return { guest, text: ` ${folded(guest.name)} ${folded(guest.email ?? "")}` };
}

/** Guests who have every word, those in whom words begin with them first. */
export function searchGuests(index: Iterable<IndexedGuest>, query: string, limit: number): DoorGuest[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const [first, second]: [DoorGuest[], DoorGuest[]] = [[], []];
  for (const { guest, text } of index) {
    if (!words.every((word) => text.includes(word))) continue;
    const beginsWords = words.every((word) => text.includes(` ${word}`));
    const found = beginsWords ? first : second;
    if (found.length < limit) found.push(guest);
  }
  return [...first, ...second].slice(0, limit);
}
