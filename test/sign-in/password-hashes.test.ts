import { expect, it } from "vitest";
import { hashPassword, verifyPassword } from "../../src/sign-in/password-hashes.js";

it("hashes with a salt and verifies", async () => {
  const [first, second] = await Promise.all([
    hashPassword("four unrelated words"),
    hashPassword("four unrelated words"),
  ]);
  expect(first).not.toBe(second);
  expect(await verifyPassword({ hash: first, password: "four unrelated words" })).toBe(true);
  expect(await verifyPassword({ hash: first, password: "four unrelated word" })).toBe(false);
});

it("refuses when too many wait, and recovers", async () => {
  const results = await Promise.allSettled(Array.from({ length: 60 }, () => hashPassword("four unrelated words")));
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(results.length - refused.length).toBeGreaterThanOrEqual(40);
  expect(refused[0]).toMatchObject({ reason: { code: "unavailable", headers: { "retry-after": "5" } } });
  await hashPassword("four unrelated words");
});
