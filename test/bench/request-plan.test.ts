import { describe, expect, it } from "vitest";
import { fill, isDynamic, planRequest } from "../../bench/support/request-plan.js";

describe("a request of the load generator", () => {
  it("is the bytes of a request", () => {
    const { text, status } = planRequest({ path: "/ping", headers: { authorization: "Bearer {key}" } });
    expect(text).toBe("GET /ping HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {key}\r\n\r\n");
    expect(status).toBe(200);
  });

  it("has the length of its body once the placeholders are filled", () => {
    const variants = [
      { event: "ä".repeat(4), capacity: "200" },
      { event: "ö".repeat(4), capacity: "201" },
    ];
    const body = { event: "{event}", capacity: "{#capacity}", key: "{uuid}", url: "https://example.com/{n}" };
    const { text } = planRequest({ method: "POST", path: "/", body, variants });
    for (const [n, variant] of variants.entries()) {
      const [head = "", content = ""] = fill(text, variant, n).split("\r\n\r\n");
      expect(Number(/content-length: (\d+)/.exec(head)?.[1])).toBe(Buffer.byteLength(content));
      expect(JSON.parse(content)).toMatchObject({ event: variant.event, capacity: Number(variant.capacity) });
    }
  });

  it("refuses variants whose bodies differ in length", () => {
    const variants = [{ name: "a" }, { name: "ab" }];
    expect(() => planRequest({ method: "POST", path: "/", body: { name: "{name}" }, variants })).toThrow(
      "POST /: the bodies of the variants differ in length",
    );
  });

  it("is new each time if it has a counter or an id", () => {
    expect(isDynamic("/{key}")).toBe(false);
    expect(isDynamic("/{n}")).toBe(true);
    expect(fill("{n}", {}, 7)).toBe("100000007");
    expect(fill("{uuid}", {}, 0)).not.toBe(fill("{uuid}", {}, 0));
  });

  it("leaves braces alone that are no placeholder", () => {
    expect(fill('{"a":{"b":{n}}} {unknown}', {}, 0)).toBe('{"a":{"b":100000000}} {unknown}');
  });
});
