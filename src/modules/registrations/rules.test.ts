import { describe, expect, it } from "vitest";
import { ServiceError } from "../../platform/errors.js";
import {
  afterApprovals,
  afterCheckIn,
  afterMove,
  describe as inWords,
  type Move,
  moveNames,
  openMoves,
  proposeBatch,
  type Standing,
  standingOf,
  verdictsOf,
} from "./rules.js";

const pending: Standing = { status: "pending", previous_status: null, checked_in: false };
const approved: Standing = { ...pending, status: "approved" };
const waitlisted: Standing = { ...pending, status: "waitlisted" };
const checkedIn: Standing = { ...approved, checked_in: true };
const declined = (previous_status: Standing["previous_status"]): Standing => ({
  ...pending,
  status: "declined",
  previous_status,
});
const standings = {
  pending,
  approved,
  waitlisted,
  checkedIn,
  declined: declined("approved"),
  forgotten: declined(null),
};

/** The whole table, as people were promised it: where each move leads, or that it is refused. */
const promised: Record<keyof typeof standings, Record<Move, string>> = {
  pending: { approve: "approved", decline: "declined, was pending", waitlist: "waitlisted", restore: "refused" },
  approved: { approve: "approved", decline: "declined, was approved", waitlist: "waitlisted", restore: "refused" },
  waitlisted: { approve: "approved", decline: "declined, was waitlisted", waitlist: "waitlisted", restore: "refused" },
  checkedIn: { approve: "approved, checked in", decline: "refused", waitlist: "refused", restore: "refused" },
  declined: { approve: "refused", decline: "declined, was approved", waitlist: "refused", restore: "approved" },
  forgotten: { approve: "refused", decline: "declined", waitlist: "refused", restore: "pending" },
};

describe("moves", () => {
  for (const [name, standing] of Object.entries(standings)) {
    for (const move of moveNames) {
      const outcome = promised[name as keyof typeof standings][move];
      it(`${move} from ${name}: ${outcome}`, () => {
        if (outcome !== "refused") expect(inWords(afterMove(standing, move))).toBe(outcome);
        else expect(() => afterMove(standing, move)).toThrow(ServiceError);
      });
    }
  }

  it("names the state and the open moves in a refusal", () => {
    expect(() => afterMove(pending, "restore")).toThrow(
      "Cannot restore: the registration is pending. Open moves: approve, decline, waitlist",
    );
    expect(() => afterMove(declined("pending"), "approve")).toThrow(
      "Cannot approve: the registration is declined, was pending. Open moves: restore",
    );
    expect(() => afterMove(checkedIn, "decline")).toThrow("Check the guest out first");
  });

  it("opens exactly the moves that are not refused", () => {
    for (const standing of Object.values(standings)) {
      const possible = moveNames.filter((move) => {
        try {
          return afterMove(standing, move) !== standing;
        } catch {
          return false;
        }
      });
      expect(openMoves(standing).filter((move) => move !== "check_in" && move !== "check_out")).toEqual(possible);
    }
  });
});

describe("check-in", () => {
  it("is for approved guests, can be undone, and can be asked for twice", () => {
    expect(afterCheckIn(approved, true)).toEqual(checkedIn);
    expect(afterCheckIn(checkedIn, true)).toEqual(checkedIn);
    expect(afterCheckIn(checkedIn, false)).toEqual(approved);
    expect(afterCheckIn(pending, false)).toEqual(pending);
    expect(() => afterCheckIn(waitlisted, true)).toThrow("is waitlisted, and only approved guests are checked in");
  });
});

describe("seats", () => {
  it("can be filled to the last, not beyond", () => {
    expect(afterApprovals({ approved: 9, capacity: 10 }, 1)).toEqual({ seats: { approved: 10, capacity: 10 } });
    expect(() => afterApprovals({ approved: 10, capacity: 10 }, 1)).toThrow("10 of 10 seats are approved, 0 free");
    expect(() => afterApprovals({ approved: 12, capacity: 10 }, 1)).toThrow("12 of 10 seats are approved, 0 free");
    expect(afterApprovals({ approved: 12, capacity: 10 }, 0)).toEqual({ seats: { approved: 12, capacity: 10 } });
    expect(afterApprovals(undefined, 1000)).toEqual({});
  });
});

describe("batches", () => {
  it("put every standing in words and back", () => {
    for (const standing of Object.values(standings)) expect(standingOf(inWords(standing))).toEqual(standing);
  });

  it("have a verdict for each", () => {
    const current = { registrations: { a: "pending", b: "approved" } };
    const proposed = proposeBatch(current, "approve");
    expect(proposed).toEqual({ registrations: { a: "approved", b: "approved" } });
    expect(verdictsOf(current, proposed)).toEqual({ a: "changed", b: "unchanged" });
  });

  it("are refused whole, with a verdict for each", () => {
    const refused = failure(() =>
      proposeBatch({ registrations: { a: "pending", b: "declined", c: "approved" } }, "approve"),
    );
    expect(refused.code).toBe("invalid_transition");
    expect(refused.details.verdicts).toEqual({
      a: "possible",
      b: "Cannot approve: the registration is declined. Open moves: restore",
      c: "unchanged",
    });
  });

  it("count all their approvals against the capacity", () => {
    const registrations = { a: "pending", b: "approved", c: "waitlisted", d: "pending" };
    const seats = { approved: 8, capacity: 10 };
    const refused = failure(() => proposeBatch({ registrations, seats }, "approve"));
    expect(refused.code).toBe("conflict");
    expect(refused.details).toMatchObject({ approved: 8, capacity: 10, free: 2, requested: 3 });
    expect(refused.details.verdicts).toEqual({ a: "possible", b: "unchanged", c: "possible", d: "no seat left" });
    const { d: _, ...fitting } = registrations;
    expect(proposeBatch({ registrations: fitting, seats }, "approve").seats).toEqual({ approved: 10, capacity: 10 });
  });
});

function failure(work: () => unknown): ServiceError {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
