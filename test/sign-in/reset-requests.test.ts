import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createRateLimits, type RateLimits } from "../../src/infra/rate-limit.js";
import { createResetRequests, type ResetRequests, resetLimits } from "../../src/sign-in/reset-requests.js";
import { createMemoryLog } from "../support/memory-log.js";
import { openSignIn, type SignInFixture, unknownEmail } from "./sign-in-fixture.js";

let fixture: SignInFixture;
let limits: RateLimits;
let resets: ResetRequests;

beforeAll(() => {
  fixture = openSignIn();
});
afterAll(() => fixture.close());
beforeEach(() => {
  const { log } = createMemoryLog();
  limits = createRateLimits(null, log);
  const mailer = { isConfigured: false, send: async () => false };
  resets = createResetRequests({ db: fixture.db, mailer, publicUrl: "https://svc.test", limits, log });
});

const limited = { code: "rate_limited" };

it("takes a /64 for one address", async () => {
  for (let i = 1; i <= resetLimits.address; i++) await resets.request(unknownEmail(), `2001:db8:1:1::${i}`);
  await expect(resets.request(unknownEmail(), "2001:db8:1:1:f::9")).rejects.toMatchObject(limited);
  await resets.request(unknownEmail(), "2001:db8:1:2::1");
});

it("does not count what an address that is refused asks for", async () => {
  for (let i = 0; i < resetLimits.address; i++) await resets.request(unknownEmail(), "198.51.100.1");
  const email = unknownEmail();
  for (let i = 0; i < resetLimits.email; i++) {
    await expect(resets.request(email, "198.51.100.1")).rejects.toMatchObject(limited);
  }
  await resets.request(email, "198.51.100.2");
});
