import { expect, it } from "vitest";
import { inLocalTimes, withLocalTimes } from "./local-times.js";

const at = "2031-05-01T18:00:00.000Z";

it("gives times the offset of the nearest zone", () => {
  const result = {
    created_at: at,
    event: { name: "Opening", timezone: "Asia/Tokyo", start_time: at },
    items: [{ timezone: "America/Lima", start_time: at, gaps: [{ from: at, to: at, minutes: 5 }] }, { at }],
  };
  expect(withLocalTimes(result, "Europe/Lisbon")).toEqual({
    created_at: "2031-05-02T03:00+09:00",
    event: { name: "Opening", timezone: "Asia/Tokyo", start_time: "2031-05-02T03:00+09:00" },
    items: [
      {
        timezone: "America/Lima",
        start_time: "2031-05-01T13:00-05:00",
        gaps: [{ from: "2031-05-01T13:00-05:00", to: "2031-05-01T13:00-05:00", minutes: 5 }],
      },
      { at: "2031-05-02T03:00+09:00" },
    ],
  });
  expect(withLocalTimes({ at }, "Europe/Lisbon")).toEqual({ at: "2031-05-01T19:00+01:00" });
  expect(withLocalTimes({ at })).toEqual({ at });
});

it("keeps seconds that are not zero", () => {
  const exact = { start_time: "2031-05-01T18:00:07.250Z", end_time: "2031-05-01T18:00:07.000Z" };
  expect(withLocalTimes(exact, "Europe/Lisbon")).toEqual({
    start_time: "2031-05-01T19:00:07.250+01:00",
    end_time: "2031-05-01T19:00:07+01:00",
  });
});

it("leaves other fields and what others have written as they are", () => {
  const result = { name: at, metadata: { expires_at: at }, answers: { at }, commit_with: { start_time: at } };
  expect(withLocalTimes(result, "Europe/Lisbon")).toEqual(result);
});

it("writes the times of a sentence as they are locally, and leaves a name with the look of one", () => {
  const sentence = `“Recording 2031-13-01T10:00:00.000Z” ends at ${at}`;
  expect(inLocalTimes(sentence, "Europe/Lisbon")).toBe(
    "“Recording 2031-13-01T10:00:00.000Z” ends at 2031-05-01T19:00+01:00",
  );
});
