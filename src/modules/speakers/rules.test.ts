import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../contract/errors.js";
import { inNewOrder } from "./store.js";

const ada = { id: "a", name: "Ada" };
const bo = { id: "b", name: "Bo" };

describe("inNewOrder", () => {
  it("orders every speaker", () => {
    expect(inNewOrder([ada, bo], ["b", "a"])).toEqual([bo, ada]);
    expect(inNewOrder([], [])).toEqual([]);
  });

  it("names what is missing and unknown at once", () => {
    const refused = () => inNewOrder([ada, bo], ["b", "x"]);
    expect(refused).toThrow(ServiceError);
    expect(refused).toThrow("missing: a; unknown: x");
  });
});
