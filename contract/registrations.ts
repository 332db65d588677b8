import { ServiceError } from "./errors.js";
import type { RegistrationStatus } from "./nouns.js";
import { leftOut, someOf } from "./shortened.js";

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
export function allowedActions(state: Pick<RegistrationState, "status" | "checked_in">): RegistrationAction[] {
  if (state.checked_in) return ["check_out"];
  const allowed = transitionNames.filter((transition) => isOneOf(transitions[transition].from, state.status));
  return state.status === "approved" ? [...allowed, "check_in"] : allowed;
}

/** Whether an action can add an approved guest, who takes a seat. */
export function canApprove(action: RegistrationAction): boolean {
  if (!isTransition(action)) return false;
  const { to } = transitions[action];
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

/** Why an action is not allowed; undefined where it is, or where it changes nothing. */
function refusalOf(state: RegistrationState, action: RegistrationAction): string | undefined {
  if (action === "check_out" || (action === "check_in" && state.status === "approved")) return undefined;
  if (action === "check_in") {
    return `Cannot check in: the registration is ${describeState(state)}, and only approved guests can be checked in. ${describeAllowedActions(state)}`;
  }
  if (state.status === transitions[action].to) return undefined;
  if (!state.checked_in && isOneOf(transitions[action].from, state.status)) return undefined;
  return `Cannot ${action}: the registration is ${describeState(state)}. ${describeAllowedActions(state)}`;
}

export function afterCheckIn<Registration extends RegistrationState>(
  registration: Registration,
  checkedIn: boolean,
): Registration {
  const refusal = refusalOf(registration, checkedIn ? "check_in" : "check_out");
  if (refusal !== undefined)
    throw new ServiceError("invalid_transition", refusal, { details: detailsOf(registration) });
  return { ...registration, checked_in: checkedIn };
}

/** The registration after an action; unchanged where it has the state already. */
function afterAction<Registration extends RegistrationState>(
  registration: Registration,
  action: RegistrationAction,
): Registration {
  return isTransition(action)
    ? afterTransition(registration, action)
    : afterCheckIn(registration, action === "check_in");
}

export function isTransition(action: RegistrationAction): action is Transition {
  return action in transitions;
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

/** A registration of a batch. */
export type BatchRow = RegistrationState & { id: string; name: string; email: string };

export type BatchState = { registrations: BatchRow[]; seats?: Seats };

/** As many as one batch accepts. */
export const maximumBatch = 500;

/** The same action for all registrations or none; a refusal says why for each that does not allow it. */
export function proposeBatch(current: BatchState, action: RegistrationAction): BatchState {
  const rows = current.registrations;
  const refused = rows.flatMap((row) => {
    const why = refusalOf(row, action);
    return why === undefined ? [] : [{ row, why }];
  });
  if (refused.length > 0) {
    throw new ServiceError(
      "invalid_transition",
      `Cannot ${action.replace("_", " ")} ${refused.length} of ${rows.length} registrations: ${someOf(refused.map(({ row }) => row.name))}. Nothing was changed. See verdicts; leave the refused ones out, or apply an allowed action to them first`,
      { details: { refused: refused.length, ...refusedVerdicts(refused) } },
    );
  }
  const registrations = rows.map((row) => afterAction(row, action));
  const seated = rows.filter((row, place) => seatsTaken(row, registrations[place]) > 0);
  return {
    registrations,
    ...afterApprovals(current.seats, seated.length, () => refusedVerdicts(withoutSeat(seated, current.seats))),
  };
}

/** How many registrations a batch is about and changes, and what it does to each. */
export function reportOf(current: BatchState, proposed: BatchState, action: RegistrationAction) {
  const inWords = (state: RegistrationState) => (isTransition(action) ? state.status : checkInWords(state));
  const rows = current.registrations.map((row, place) => {
    const after = proposed.registrations[place] ?? row;
    return { id: row.id, name: row.name, email: row.email, from: inWords(row), to: inWords(after) };
  });
  const changed = changedStates(current, proposed).length;
  return { selected: rows.length, changed, ...shownVerdictsOf(rows) };
}

/** The proposed states that differ from the current ones. */
export function changedStates(current: BatchState, proposed: BatchState): (RegistrationState & { id: string })[] {
  return proposed.registrations.flatMap(({ id, status, previous_status, checked_in }, place) => {
    const before = current.registrations[place];
    const isSame = before?.status === status && before.checked_in === checked_in;
    return isSame ? [] : [{ id, status, previous_status, checked_in }];
  });
}

/** The most verdicts that a result shows. */
const shownVerdicts = 100;

function shownVerdictsOf<Row>(rows: Row[]) {
  const verdicts = rows.slice(0, shownVerdicts);
  return { verdicts, ...leftOut({ verdicts: { shown: verdicts.length, total: rows.length } }) };
}

function refusedVerdicts(rows: { row: BatchRow; why: string }[]) {
  return shownVerdictsOf(
    rows.map(({ row: { id, name, email, status }, why }) => ({ id, name, email, from: status, refused: why })),
  );
}

/** Free seats go to the registrations that come first. */
function withoutSeat(seated: BatchRow[], seats: Seats | undefined) {
  const free = seats === undefined ? 0 : Math.max(0, seats.capacity - seats.approved);
  return seated.slice(free).map((row) => ({ row, why: "no seat left" }));
}

function checkInWords({ checked_in }: RegistrationState): string {
  return checked_in ? "checked in" : "not checked in";
}

/** 1 where the change adds an approved guest, otherwise 0. */
function seatsTaken(from: RegistrationState, to: RegistrationState | undefined): number {
  return from.status !== "approved" && to?.status === "approved" ? 1 : 0;
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
