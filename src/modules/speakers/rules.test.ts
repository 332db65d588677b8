import { describe, expect, it } from "vitest";
import { ServiceError } from "../../platform/errors.js";
import { inWantedOrder } from "./rules.js";

const ada = { id: "a", name: "Ada" };
const bo = { id: "b", name: "Bo" };

describe("inWantedOrder", () => {
  it("orders every speaker", () => {
    expect(inWantedOrder([ada, bo], ["b", "a"])).toEqual([bo, ada]);
    expect(inWantedOrder([], [])).toEqual([]);
  });

  it("names what is missing, unknown and repeated, all at once", () => {
    const refused = () => inWantedOrder([ada, bo], ["b", "x", "b"]);
    expect(refused).toThrow(ServiceError);
    expect(refused).toThrow("missing: a; unknown: x; duplicate: b");
  });
});
