import { afterAll, beforeAll, expect, it } from "vitest";
import { hashPassword, newHashes, verifyPassword } from "../../src/sign-in/password-hashes.js";

const password = "four unrelated words";
const { cost } = newHashes;

beforeAll(() => {
  newHashes.cost = 16_384;
});
afterAll(() => {
  newHashes.cost = cost;
});

it("hashes with a salt and verifies", async () => {
  const [first, second] = await Promise.all([hashPassword(password), hashPassword(password)]);
  expect(first).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  expect(first).not.toBe(second);
  expect(await verifyPassword(password, first)).toBe(true);
  expect(await verifyPassword("four unrelated word", first)).toBe(false);
});

it("verifies hashes of earlier versions, and of another cost", async () => {
  const earlier =
    "4ebed6b79dbdcb28945e7eb0e6ac8b82:4be860b4a9585f0c82d04f8f219dfad3f37f7ec9fc2001588a107c20b4aba728847f8e03ca6ef7b511a5d948006af8c928b86bef3501f3c7e50aad687bacc748";
  expect(await verifyPassword(password, earlier)).toBe(true);
  newHashes.cost = 32;
  const cheap = await hashPassword(password);
  newHashes.cost = 16_384;
  expect(cheap).toMatch(/^32:/);
  expect(await verifyPassword(password, cheap)).toBe(true);
  expect(await verifyPassword("another password", cheap)).toBe(false);
});

it("takes composed and decomposed characters for the same", async () => {
  expect(await verifyPassword("cafe\u0301 au lait", await hashPassword("café au lait"))).toBe(true);
});

it("refuses when too many wait, also without a hash to compare with, and recovers", async () => {
  newHashes.cost = 1_024;
  const results = await Promise.allSettled(
    Array.from({ length: 60 }, (_, n) => (n % 2 ? hashPassword(password) : verifyPassword(password, undefined))),
  );
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(60 - 40 - 2);
  expect(refused[0]).toMatchObject({ reason: { code: "unavailable", headers: { "retry-after": "5" } } });
  expect(await verifyPassword(password, undefined)).toBe(false);
});
