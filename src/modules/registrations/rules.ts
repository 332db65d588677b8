import type { z } from "zod";
import { ServiceError } from "../../platform/errors.js";
import type { registrationStatus } from "./schema.js";

export type Status = z.infer<typeof registrationStatus>;

/** What a registration's moves rest on. */
export type Standing = { status: Status; previous_status: Exclude<Status, "declined"> | null; checked_in: boolean };

/** The state machine. A restored registration goes back to where it was before it was declined. */
export const moves = {
  approve: { from: ["pending", "waitlisted"], to: "approved" },
  decline: { from: ["pending", "waitlisted", "approved"], to: "declined" },
  waitlist: { from: ["pending", "approved"], to: "waitlisted" },
  restore: { from: ["declined"], to: "previous_status" },
} as const satisfies Record<string, { from: readonly Status[]; to: Status | "previous_status" }>;

export type Move = keyof typeof moves;

export const moveNames = Object.keys(moves) as [Move, ...Move[]];

export const openMoveNames = [...moveNames, "check_in", "check_out"] as const;

export type OpenMove = (typeof openMoveNames)[number];

/** What can be done with a registration in its present state. A checked-in guest must be checked out first. */
export function openMoves(standing: Standing): OpenMove[] {
  if (standing.checked_in) return ["check_out"];
  const open = moveNames.filter((move) => isOneOf(moves[move].from, standing.status));
  return standing.status === "approved" ? [...open, "check_in"] : open;
}

/** The standing after a move; the same one where it is there already. */
export function afterMove<Registration extends Standing>(registration: Registration, move: Move): Registration {
  const refusal = refusalOf(registration, move);
  if (refusal !== undefined)
    throw new ServiceError("invalid_transition", refusal, { details: detailsOf(registration) });
  const to = moves[move].to === "previous_status" ? (registration.previous_status ?? "pending") : moves[move].to;
  if (registration.status === to) return registration;
  const left = registration.status === "declined" ? null : registration.status;
  return { ...registration, status: to, previous_status: to === "declined" ? left : null };
}

/** Why a move is not open, or undefined where it is, or where there is nothing to do. */
export function refusalOf(standing: Standing, move: Move): string | undefined {
  if (standing.status === moves[move].to) return undefined;
  if (!standing.checked_in && isOneOf(moves[move].from, standing.status)) return undefined;
  return `Cannot ${move}: the registration is ${describe(standing)}. ${describeOpenMoves(standing)}`;
}

export function afterCheckIn<Registration extends Standing>(
  registration: Registration,
  checkedIn: boolean,
): Registration {
  if (checkedIn && registration.status !== "approved") {
    throw new ServiceError(
      "invalid_transition",
      `Cannot check in: the registration is ${describe(registration)}, and only approved guests are checked in. ${describeOpenMoves(registration)}`,
      { details: detailsOf(registration) },
    );
  }
  return { ...registration, checked_in: checkedIn };
}

/** How full an event with a capacity is. */
export type Seats = { approved: number; capacity: number };

/** The seats after `added` more approvals. An event without a capacity, or one that may be overfilled, has none to count. */
export function afterApprovals(seats: Seats | undefined, added: number): { seats?: Seats } {
  if (seats === undefined) return {};
  if (added > 0 && seats.approved + added > seats.capacity) throw overCapacity(seats, added);
  return { seats: { ...seats, approved: seats.approved + added } };
}

export function overCapacity(seats: Seats, added: number, more: Record<string, unknown> = {}): ServiceError {
  const free = Math.max(0, seats.capacity - seats.approved);
  return new ServiceError(
    "conflict",
    `Over capacity: ${seats.approved} of ${seats.capacity} seats are approved, ${free} free, and this would approve ${added} more. Nothing was changed. Approve fewer, waitlist instead, raise the capacity with update_event_details, or send allow_over_capacity: true if that is wanted`,
    { details: { approved: seats.approved, capacity: seats.capacity, free, requested: added, ...more } },
  );
}

/** A move of one registration, with the seats that it takes. */
export function proposeMove<State extends { registration: Standing; seats?: Seats }>(
  current: State,
  move: Move,
): State {
  const registration = afterMove(current.registration, move);
  return {
    ...current,
    registration,
    ...afterApprovals(current.seats, approvals([[current.registration, registration]])),
  };
}

/** Standings of many registrations by their id, each in words: a batch of 100 has to stay readable. */
export type BatchState = { registrations: Record<string, string>; seats?: Seats };

/** The same move for all, or for none: a refusal has the verdict for each. */
export function proposeBatch(current: BatchState, move: Move): BatchState {
  const before = Object.entries(current.registrations).map(([id, words]) => [id, standingOf(words)] as const);
  const refusals = before.flatMap(([id, standing]) => {
    const refusal = refusalOf(standing, move);
    return refusal === undefined ? [] : [[id, refusal] as const];
  });
  if (refusals.length > 0) throw refusedBatch(before, new Map(refusals), move);
  const after = before.map(([id, standing]) => [id, afterMove(standing, move)] as const);
  const pairs = before.map(([, standing], index) => [standing, after[index]?.[1] ?? standing] as const);
  const added = approvals(pairs);
  const { seats } = current;
  if (seats !== undefined && added > 0 && seats.approved + added > seats.capacity) {
    throw overCapacity(seats, added, { verdicts: verdictsByRoom(before, move, seats.capacity - seats.approved) });
  }
  return {
    registrations: Object.fromEntries(after.map(([id, standing]) => [id, describe(standing)])),
    ...afterApprovals(seats, added),
  };
}

/** What a batch does to each of its registrations. */
export function verdictsOf(current: BatchState, proposed: BatchState): Record<string, string> {
  return Object.fromEntries(
    Object.entries(current.registrations).map(([id, words]) => [
      id,
      proposed.registrations[id] === words ? "unchanged" : "changed",
    ]),
  );
}

type Entry = readonly [id: string, standing: Standing];

function refusedBatch(entries: Entry[], refusals: Map<string, string>, move: Move): ServiceError {
  const verdicts = entries.map(([id, standing]) => [id, refusals.get(id) ?? verdictOf(standing, move)]);
  return new ServiceError(
    "invalid_transition",
    `Cannot ${move} ${refusals.size} of ${entries.length}, so nothing was changed: see verdicts. Leave the refused ones out, or make an open move with them first`,
    { details: { verdicts: Object.fromEntries(verdicts) } },
  );
}

/** Those that come first get the seats that are left. */
function verdictsByRoom(entries: Entry[], move: Move, free: number): Record<string, string> {
  let left = free;
  return Object.fromEntries(
    entries.map(([id, standing]) => {
      const wants = approvals([[standing, afterMove(standing, move)]]);
      left -= wants;
      return [id, wants > 0 && left < 0 ? "no seat left" : verdictOf(standing, move)];
    }),
  );
}

function verdictOf(standing: Standing, move: Move): string {
  return afterMove(standing, move).status === standing.status ? "unchanged" : "possible";
}

function approvals(pairs: (readonly [from: Standing, to: Standing])[]): number {
  return pairs.filter(([from, to]) => from.status !== "approved" && to.status === "approved").length;
}

/** A standing in a few words, as batches and histories show it. */
export function describe(standing: Standing): string {
  if (standing.checked_in) return `${standing.status}, checked in`;
  return standing.previous_status === null ? standing.status : `${standing.status}, was ${standing.previous_status}`;
}

/** The standing that `describe` described. */
export function standingOf(description: string): Standing {
  const [status, note] = description.split(", ");
  return {
    status: status as Status,
    previous_status: note?.startsWith("was ") ? (note.slice(4) as Standing["previous_status"]) : null,
    checked_in: note === "checked in",
  };
}

function describeOpenMoves(standing: Standing): string {
  return standing.checked_in
    ? "Check the guest out first: set_event_registration_check_in with checked_in: false"
    : `Open moves: ${openMoves(standing).join(", ")}`;
}

function detailsOf(standing: Standing): Record<string, unknown> {
  return { status: standing.status, checked_in: standing.checked_in, open_moves: openMoves(standing) };
}

function isOneOf(statuses: readonly Status[], status: Status): boolean {
  return statuses.includes(status);
}
