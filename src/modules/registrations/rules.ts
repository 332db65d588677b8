import type { z } from "zod";
import { ServiceError } from "../../platform/errors.js";
import type { registrationStatus } from "./schema.js";

export type RegistrationStatus = z.infer<typeof registrationStatus>;

/** What decides which transitions a registration allows. `previous_status` is set while it is declined. */
export type RegistrationState = {
  status: RegistrationStatus;
  previous_status: Exclude<RegistrationStatus, "declined"> | null;
  checked_in: boolean;
};

/** The state machine. `restore` returns a registration to its status before it was declined. */
export const transitions = {
  approve: { from: ["pending", "waitlisted"], to: "approved" },
  decline: { from: ["pending", "waitlisted", "approved"], to: "declined" },
  waitlist: { from: ["pending", "approved"], to: "waitlisted" },
  restore: { from: ["declined"], to: "previous_status" },
} as const satisfies Record<
  string,
  { from: readonly RegistrationStatus[]; to: RegistrationStatus | "previous_status" }
>;

export type Transition = keyof typeof transitions;

export const transitionNames = Object.keys(transitions) as [Transition, ...Transition[]];

export const registrationActions = [...transitionNames, "check_in", "check_out"] as const;

export type RegistrationAction = (typeof registrationActions)[number];

/** What can be done with a registration now. A checked-in guest must be checked out first. */
export function allowedActions(state: RegistrationState): RegistrationAction[] {
  if (state.checked_in) return ["check_out"];
  const allowed = transitionNames.filter((transition) => isOneOf(transitions[transition].from, state.status));
  return state.status === "approved" ? [...allowed, "check_in"] : allowed;
}

/** Whether a transition can add an approved guest, who takes a seat. */
export function canApprove(transition: Transition): boolean {
  const { to } = transitions[transition];
  return to === "approved" || to === "previous_status";
}

/** The registration after a transition; unchanged where it has the target status already. */
export function afterTransition<Registration extends RegistrationState>(
  registration: Registration,
  transition: Transition,
): Registration {
  const refusal = refusalOf(registration, transition);
  if (refusal !== undefined)
    throw new ServiceError("invalid_transition", refusal, { details: detailsOf(registration) });
  const target = transitions[transition].to;
  const status = target === "previous_status" ? (registration.previous_status ?? "pending") : target;
  if (registration.status === status) return registration;
  const left = registration.status === "declined" ? null : registration.status;
  return { ...registration, status, previous_status: status === "declined" ? left : null };
}

/** Why a transition is not allowed; undefined where it is, or where it changes nothing. */
function refusalOf(state: RegistrationState, transition: Transition): string | undefined {
  if (state.status === transitions[transition].to) return undefined;
  if (!state.checked_in && isOneOf(transitions[transition].from, state.status)) return undefined;
  return `Cannot ${transition}: the registration is ${describeState(state)}. ${describeAllowedActions(state)}`;
}

export function afterCheckIn<Registration extends RegistrationState>(
  registration: Registration,
  checkedIn: boolean,
): Registration {
  if (checkedIn && registration.status !== "approved") {
    throw new ServiceError(
      "invalid_transition",
      `Cannot check in: the registration is ${describeState(registration)}, and only approved guests can be checked in. ${describeAllowedActions(registration)}`,
      { details: detailsOf(registration) },
    );
  }
  return { ...registration, checked_in: checkedIn };
}

/** The seats of an event with a capacity. */
export type Seats = { approved: number; capacity: number };

/** The seats after `added` approvals. They are undefined where no limit applies. */
export function afterApprovals(
  seats: Seats | undefined,
  added: number,
  refusalDetails: () => Record<string, unknown> = () => ({}),
): { seats?: Seats } {
  if (seats === undefined) return {};
  if (added > 0 && seats.approved + added > seats.capacity) throw overCapacity(seats, added, refusalDetails());
  return { seats: { ...seats, approved: seats.approved + added } };
}

function overCapacity({ approved, capacity }: Seats, added: number, details: Record<string, unknown>): ServiceError {
  const free = Math.max(0, capacity - approved);
  return new ServiceError(
    "conflict",
    `Over capacity: ${approved} of ${capacity} seats are taken, ${free} free, and this would approve ${added} more. Nothing was changed. Approve fewer guests, waitlist them, raise the capacity with update_event_details, or send allow_over_capacity: true`,
    { details: { approved, capacity, free, requested: added, ...details } },
  );
}

/** A transition of one registration, with the seat that it takes. */
export function proposeTransition<Current extends { registration: RegistrationState; seats?: Seats }>(
  current: Current,
  transition: Transition,
): Current {
  const registration = afterTransition(current.registration, transition);
  return { ...current, registration, ...afterApprovals(current.seats, seatsTaken(current.registration, registration)) };
}

/** A state without what is null or false, so that a batch of 100 stays small. */
export type CompactState = Pick<RegistrationState, "status"> & Partial<RegistrationState>;

export function compactState({ status, previous_status, checked_in }: RegistrationState): CompactState {
  return { status, ...(previous_status === null ? {} : { previous_status }), ...(checked_in ? { checked_in } : {}) };
}

export function fullState(state: CompactState): RegistrationState {
  return { previous_status: null, checked_in: false, ...state };
}

/** The states of many registrations by id. */
export type BatchState = { registrations: Record<string, CompactState>; seats?: Seats };

/** The same transition for all registrations or none; a refusal has a verdict for each. */
export function proposeBatch(current: BatchState, transition: Transition): BatchState {
  const before = Object.entries(current.registrations).map(([id, state]) => [id, fullState(state)] as const);
  const refusals = new Map(before.map(([id, state]) => [id, refusalOf(state, transition)]));
  const refused = [...refusals.values()].filter((refusal) => refusal !== undefined).length;
  if (refused > 0) {
    const verdicts = before.map(([id, state]) => [id, refusals.get(id) ?? verdictOf(state, transition)]);
    throw new ServiceError(
      "invalid_transition",
      `Cannot ${transition} ${refused} of ${before.length} registrations. Nothing was changed. See verdicts; leave the refused ones out, or apply an allowed action to them first`,
      { details: { verdicts: Object.fromEntries(verdicts) } },
    );
  }
  const after = before.map(([id, state]) => [id, afterTransition(state, transition)] as const);
  const added = after.reduce((sum, [, state], index) => sum + seatsTaken(before[index]?.[1], state), 0);
  return {
    registrations: Object.fromEntries(after.map(([id, state]) => [id, compactState(state)])),
    ...afterApprovals(current.seats, added, () => ({ verdicts: verdictsBySeat(current, transition) })),
  };
}

/** What a batch does to each of its registrations. */
export function verdictsOf(current: BatchState, proposed: BatchState): Record<string, string> {
  const changed = new Set(changedStates(current, proposed).map(({ id }) => id));
  return Object.fromEntries(
    Object.keys(current.registrations).map((id) => [id, changed.has(id) ? "changed" : "unchanged"]),
  );
}

/** The proposed states that differ from the current ones. */
export function changedStates(current: BatchState, proposed: BatchState): (RegistrationState & { id: string })[] {
  return Object.entries(proposed.registrations)
    .filter(([id, state]) => state.status !== current.registrations[id]?.status)
    .map(([id, state]) => ({ id, ...fullState(state) }));
}

/** Free seats go to the registrations that come first. */
function verdictsBySeat({ registrations, seats }: BatchState, transition: Transition): Record<string, string> {
  let free = seats === undefined ? 0 : seats.capacity - seats.approved;
  return Object.fromEntries(
    Object.entries(registrations).map(([id, compact]) => {
      const state = fullState(compact);
      const taken = seatsTaken(state, afterTransition(state, transition));
      free -= taken;
      return [id, taken > 0 && free < 0 ? "no seat left" : verdictOf(state, transition)];
    }),
  );
}

function verdictOf(state: RegistrationState, transition: Transition): string {
  return afterTransition(state, transition).status === state.status ? "unchanged" : "possible";
}

/** 1 where the change adds an approved guest, otherwise 0. */
function seatsTaken(from: RegistrationState | undefined, to: RegistrationState): number {
  return from?.status !== "approved" && to.status === "approved" ? 1 : 0;
}

/** A state in words, for messages and histories. */
export function describeState(state: RegistrationState): string {
  if (state.checked_in) return `${state.status}, checked in`;
  return state.previous_status === null ? state.status : `${state.status}, was ${state.previous_status}`;
}

function describeAllowedActions(state: RegistrationState): string {
  return state.checked_in
    ? "Check the guest out first: set_event_registration_check_in with checked_in: false"
    : `Allowed actions: ${allowedActions(state).join(", ")}`;
}

function detailsOf(state: RegistrationState): Record<string, unknown> {
  return { status: state.status, checked_in: state.checked_in, open_moves: allowedActions(state) };
}

function isOneOf(statuses: readonly RegistrationStatus[], status: RegistrationStatus): boolean {
  return statuses.includes(status);
}
