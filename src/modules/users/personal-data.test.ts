import { describe, expect, it } from "vitest";
import { eraseFrom } from "./personal-data.js";

const person = { email: "zenobia@example.com", names: ["Zenobia Quill"] };

describe("eraseFrom", () => {
  it("removes what stands beside the address, however the address is written", () => {
    for (const email of ["zenobia@example.com", "Zenobia@Example.COM"]) {
      const guest = { email, name: "Z.", answers: { diet: "vegan" }, note: "late", source: null, status: "pending" };
      expect(eraseFrom({ guests: [guest] }, person)).toEqual({
        guests: [
          {
            email: "[erased]",
            name: "[erased]",
            answers: "[erased]",
            note: "[erased]",
            source: null,
            status: "pending",
          },
        ],
      });
    }
  });

  it("leaves other guests alone", () => {
    const guest = { email: "azenobia@example.com", name: "Ada", answers: { diet: "vegan" } };
    expect(eraseFrom([guest], person)).toEqual([guest]);
  });
});
