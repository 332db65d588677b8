import { describe, expect, it } from "vitest";
import { ApiError } from "../../api/api-error.ts";
import type { Preview } from "../../api/tools.ts";
import { mayHaveHappened, previewRows, type Row, type RowState, saveInOrder, saveReducer, stepOf } from "./saving.ts";
import { segment } from "./test-segments.ts";

const preview = (id: string, changes = 1): Preview => ({
  ...{ dry_run: true, current: {}, proposed: {}, commit_with: { id } },
  changes: Array.from({ length: changes }, () => ({ path: "segment.start_time", from: 1, to: 2 })),
});

const row = (id: string, state: RowState = { step: "ready", preview: preview(id) }): Row => ({
  ...{ segment: segment(id, "18:00", 10), move: { start: 0, minutes: 10 }, state },
});

async function save(rows: Row[], failing: Record<string, unknown> = {}) {
  let now = rows;
  const committed: unknown[] = [];
  const saved = await saveInOrder(
    rows,
    async ({ commit_with: { id } }) => {
      if (String(id) in failing) throw failing[String(id)];
      committed.push(id);
      return { dry_run: false, after: {} };
    },
    (id, state) => {
      now = saveReducer(now, { type: "row", id, state });
    },
  );
  return { saved, committed, rows: now, steps: now.map(({ state }) => state.step) };
}

describe("saving several moves", () => {
  it("commits them in order", async () => {
    const { saved, committed, rows } = await save([row("a"), row("b")]);
    expect([saved, committed]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    expect(stepOf(rows)).toBe("done");
  });

  it("stops at the first refusal and says what was saved", async () => {
    const refusal = new ApiError("no", { status: 409, code: "conflict" });
    const { saved, committed, rows, steps } = await save([row("a"), row("b"), row("c")], { b: refusal });
    expect([saved, committed, steps]).toEqual([["a"], ["a"], ["saved", "failed", "ready"]]);
    expect(stepOf(rows)).toBe("stopped");
    expect(mayHaveHappened(rows[1])).toBe(false);
  });

  it("goes on with the one that failed", async () => {
    const lost = new ApiError("gone", { status: 0, code: "network" });
    const first = await save([row("a"), row("b"), row("c")], { b: lost });
    expect(mayHaveHappened(first.rows[1])).toBe(true);
    const second = await save(first.rows);
    expect([second.committed, stepOf(second.rows)]).toEqual([["b", "c"], "done"]);
  });

  it("leaves out what the service refuses in the preview, and commits nothing that is stored already", async () => {
    const rows = [row("a", { step: "refused", error: "gone" }), row("b", { step: "ready", preview: preview("b", 0) })];
    const { committed, steps } = await save(rows);
    expect([committed, steps]).toEqual([[], ["refused", "saved"]]);
  });

  it("cannot begin while a preview is missing, and not at all when all are refused", () => {
    expect(stepOf([row("a"), row("b", { step: "previewing" })])).toBe("previewing");
    expect(stepOf([row("a", { step: "saved", preview: preview("a") }), row("b")])).toBe("ready");
    expect(stepOf([row("a", { step: "refused", error: "gone" })])).toBe("impossible");
    expect(stepOf(saveReducer([row("a")], { type: "again", ids: ["a"] }))).toBe("previewing");
  });

  it("previews four at a time", async () => {
    let [running, most] = [0, 0];
    let rows = Array.from({ length: 10 }, (_, n) => row(`s${n}`, { step: "previewing" }));
    const look = async ({ segment: { id } }: Row) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve));
      running--;
      if (id === "s3") throw new Error("gone");
      return preview(id);
    };
    await previewRows(rows, look, (id, state) => {
      rows = saveReducer(rows, { type: "row", id, state });
    });
    expect(most).toBe(4);
    expect(rows.filter(({ state }) => state.step === "ready")).toHaveLength(9);
    expect(rows[3]?.state.step).toBe("refused");
  });
});
