import { describe, expect, it } from "vitest";
import { ServiceError } from "./errors.js";
import {
  afterApprovals,
  afterCheckIn,
  afterTransition,
  allowedActions,
  canApprove,
  changedStates,
  describeState,
  proposeBatch,
  type RegistrationState,
  reportOf,
  type Transition,
  transitionNames,
} from "./registrations.js";

const pending: RegistrationState = { status: "pending", previous_status: null, checked_in: false };
const approved: RegistrationState = { ...pending, status: "approved" };
const waitlisted: RegistrationState = { ...pending, status: "waitlisted" };
const checkedIn: RegistrationState = { ...approved, checked_in: true };
const declined = (previous_status: RegistrationState["previous_status"]): RegistrationState => ({
  ...pending,
  status: "declined",
  previous_status,
});
const states = {
  pending,
  approved,
  waitlisted,
  checkedIn,
  declined: declined("approved"),
  declinedFromUnknown: declined(null),
};

/** The whole state machine: the state after each transition, or null where it is refused. */
const outcomes: Record<keyof typeof states, Record<Transition, RegistrationState | null>> = {
  pending: { approve: approved, decline: declined("pending"), waitlist: waitlisted, restore: null },
  approved: { approve: approved, decline: declined("approved"), waitlist: waitlisted, restore: null },
  waitlisted: { approve: approved, decline: declined("waitlisted"), waitlist: waitlisted, restore: null },
  checkedIn: { approve: checkedIn, decline: null, waitlist: null, restore: null },
  declined: { approve: null, decline: declined("approved"), waitlist: null, restore: approved },
  declinedFromUnknown: { approve: null, decline: declined(null), waitlist: null, restore: pending },
};

describe("transitions", () => {
  for (const [name, state] of Object.entries(states)) {
    for (const transition of transitionNames) {
      const outcome = outcomes[name as keyof typeof states][transition];
      it(`${transition} from ${name}: ${outcome === null ? "refused" : describeState(outcome)}`, () => {
        if (outcome !== null) expect(afterTransition(state, transition)).toEqual(outcome);
        else expect(() => afterTransition(state, transition)).toThrow(ServiceError);
      });
    }
  }

  it("names the state and the allowed actions in a refusal", () => {
    expect(() => afterTransition(pending, "restore")).toThrow(
      "Cannot restore: the registration is pending. Allowed actions: approve, decline, waitlist",
    );
    expect(() => afterTransition(declined("pending"), "approve")).toThrow(
      "Cannot approve: the registration is declined, was pending. Allowed actions: restore",
    );
    expect(() => afterTransition(checkedIn, "decline")).toThrow("Check the guest out first");
  });

  it("allows exactly the transitions that change the state", () => {
    for (const state of Object.values(states)) {
      const possible = transitionNames.filter((transition) => {
        try {
          return afterTransition(state, transition) !== state;
        } catch {
          return false;
        }
      });
      expect(allowedActions(state).filter((action) => action !== "check_in" && action !== "check_out")).toEqual(
        possible,
      );
    }
  });

  it("can approve exactly where some state becomes approved", () => {
    const approving = transitionNames.filter((transition) =>
      Object.entries(outcomes).some(
        ([name, row]) => name !== "approved" && name !== "checkedIn" && row[transition]?.status === "approved",
      ),
    );
    expect(transitionNames.filter(canApprove)).toEqual(approving);
  });
});

describe("check-in", () => {
  it("requires an approved guest, can be undone, and is idempotent", () => {
    expect(afterCheckIn(approved, true)).toEqual(checkedIn);
    expect(afterCheckIn(checkedIn, true)).toEqual(checkedIn);
    expect(afterCheckIn(checkedIn, false)).toEqual(approved);
    expect(afterCheckIn(pending, false)).toEqual(pending);
    expect(() => afterCheckIn(waitlisted, true)).toThrow("is waitlisted, and only approved guests can be checked in");
  });
});

describe("seats", () => {
  it("can be filled up to the capacity", () => {
    expect(afterApprovals({ approved: 9, capacity: 10 }, 1)).toEqual({ seats: { approved: 10, capacity: 10 } });
    expect(() => afterApprovals({ approved: 10, capacity: 10 }, 1)).toThrow("10 of 10 seats are taken, 0 free");
    expect(() => afterApprovals({ approved: 12, capacity: 10 }, 1)).toThrow("12 of 10 seats are taken, 0 free");
    expect(() => afterApprovals({ approved: 0, capacity: 0 }, 1)).toThrow("0 of 0 seats are taken, 0 free");
    expect(afterApprovals({ approved: 12, capacity: 10 }, 0)).toEqual({ seats: { approved: 12, capacity: 10 } });
    expect(afterApprovals(undefined, 1000)).toEqual({});
  });
});

describe("batches", () => {
  const named = (rows: Record<string, RegistrationState>) =>
    Object.entries(rows).map(([id, state]) => ({ ...guest(id), ...state }));
  const guest = (id: string) => ({ id, name: `Guest ${id}`, email: `${id}@example.com` });

  it("change those that do not have the state already", () => {
    const current = { registrations: named({ a: pending, b: approved }) };
    const proposed = proposeBatch(current, "approve");
    expect(proposed).toEqual({
      registrations: [
        { ...guest("a"), ...approved },
        { ...guest("b"), ...approved },
      ],
    });
    expect(reportOf(current, proposed, "approve")).toEqual({
      selected: 2,
      changed: 1,
      verdicts: [
        { ...guest("a"), from: "pending", to: "approved" },
        { ...guest("b"), from: "approved", to: "approved" },
      ],
    });
    expect(changedStates(current, proposed)).toEqual([{ id: "a", ...approved }]);
  });

  it("check in and out", () => {
    const current = { registrations: named({ a: approved, b: checkedIn }), seats: { approved: 9, capacity: 1 } };
    const arrived = proposeBatch(current, "check_in");
    expect(changedStates(current, arrived)).toEqual([{ id: "a", ...checkedIn }]);
    expect(reportOf(current, arrived, "check_in").verdicts).toEqual([
      { ...guest("a"), from: "not checked in", to: "checked in" },
      { ...guest("b"), from: "checked in", to: "checked in" },
    ]);
    const left = proposeBatch(arrived, "check_out");
    expect(changedStates(arrived, left).map(({ id }) => id)).toEqual(["a", "b"]);
    const absent = { registrations: named({ a: pending }) };
    expect(reportOf(absent, proposeBatch(absent, "check_out"), "check_out")).toMatchObject({
      changed: 0,
      verdicts: [{ ...guest("a"), from: "not checked in", to: "not checked in" }],
    });
    const refusal = refusalOf(() => proposeBatch({ registrations: named({ a: approved, b: pending }) }, "check_in"));
    expect(refusal.message).toContain("Cannot check in 1 of 2 registrations: Guest b.");
    const why = expect.stringContaining("only approved guests can be checked in");
    expect(refusal.details.verdicts).toEqual([{ ...guest("b"), from: "pending", refused: why }]);
  });

  it("are refused as a whole, with the reason for each that does not allow it", () => {
    const registrations = named({ a: pending, b: declined(null), c: approved });
    const refusal = refusalOf(() => proposeBatch({ registrations }, "approve"));
    expect(refusal.code).toBe("invalid_transition");
    expect(refusal.message).toBe(
      "Cannot approve 1 of 3 registrations: Guest b. Nothing was changed. See verdicts; leave the refused ones out, or apply an allowed action to them first",
    );
    const refused = "Cannot approve: the registration is declined. Allowed actions: restore";
    expect(refusal.details).toEqual({ refused: 1, verdicts: [{ ...guest("b"), from: "declined", refused }] });
  });

  it("name a bounded number of those that do not allow it", () => {
    const rows = Array.from({ length: 500 }, (_, n) => [`${n}-`, declined(null)] as const);
    const refusal = refusalOf(() => proposeBatch({ registrations: named(Object.fromEntries(rows)) }, "approve"));
    expect(refusal.message).toContain("Guest 19- and 480 more");
    expect(refusal.details).toMatchObject({ refused: 500, left_out: { verdicts: 400 } });
    expect(refusal.details.verdicts).toHaveLength(100);
  });

  it("count all their approvals against the capacity", () => {
    const registrations = named({ a: pending, b: approved, c: waitlisted, d: pending });
    const seats = { approved: 8, capacity: 10 };
    const refusal = refusalOf(() => proposeBatch({ registrations, seats }, "approve"));
    expect(refusal.code).toBe("conflict");
    expect(refusal.details).toMatchObject({ approved: 8, capacity: 10, free: 2, requested: 3 });
    expect(refusal.details.verdicts).toEqual([{ ...guest("d"), from: "pending", refused: "no seat left" }]);
    const fitting = registrations.slice(0, 3);
    expect(proposeBatch({ registrations: fitting, seats }, "approve").seats).toEqual({ approved: 10, capacity: 10 });
  });
});

function refusalOf(work: () => unknown): ServiceError {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("not refused");
}
