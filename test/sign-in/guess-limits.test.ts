import { afterAll, beforeAll, expect, it } from "vitest";
import { client, openSignIn, password, type SignInFixture, unknownEmail } from "./sign-in-fixture.js";

let fixture: SignInFixture;

beforeAll(() => {
  fixture = openSignIn();
});
afterAll(() => fixture.close());

const wrong = "a wrong password";
const limited = { code: "rate_limited", headers: { "retry-after": expect.stringMatching(/^\d+$/) } };

it("throttles guesses at one e-mail from one address, and nobody else", async () => {
  const { email } = await fixture.person();
  const signIn = fixture.start({ guesses: { emailAndAddress: 3 } });
  const attacker = { ...client, ip: "198.51.100.1" };
  for (let i = 0; i < 3; i++) expect(await signIn.signIn(email, wrong, attacker)).toBeUndefined();
  await expect(signIn.signIn(email, password, attacker)).rejects.toMatchObject(limited);
  await expect(signIn.signIn(email.toUpperCase(), password, attacker)).rejects.toMatchObject(limited);
  expect(await signIn.signIn(email, password, { ...client, ip: "198.51.100.2" })).toBeDefined();
});

it("counts guesses that arrive at the same time", async () => {
  const { email } = await fixture.person();
  const signIn = fixture.start({ guesses: { emailAndAddress: 3 } });
  const attacker = { ...client, ip: "198.51.100.3" };
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => signIn.signIn(email, wrong, attacker)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

it("throttles guesses at one e-mail from many addresses", async () => {
  const { email } = await fixture.person();
  const signIn = fixture.start({ guesses: { email: 4 } });
  for (let i = 0; i < 4; i++) await signIn.signIn(email, wrong, { ...client, ip: `198.51.100.${10 + i}` });
  await expect(signIn.signIn(email, password, { ...client, ip: "198.51.100.20" })).rejects.toMatchObject(limited);
});

it("throttles one address that tries many e-mails, and takes a /64 for one address", async () => {
  const signIn = fixture.start({ guesses: { address: 3 } });
  for (let i = 1; i <= 3; i++) await signIn.signIn(unknownEmail(), wrong, { ...client, ip: `2001:db8:1:1::${i}` });
  const { email } = await fixture.person();
  await expect(signIn.signIn(email, password, { ...client, ip: "2001:db8:1:1:f::9" })).rejects.toMatchObject(limited);
  expect(await signIn.signIn(email, password, { ...client, ip: "2001:db8:1:2::1" })).toBeDefined();
});

it("does not count successful sign-ins", async () => {
  const { email } = await fixture.person();
  const signIn = fixture.start({ guesses: { emailAndAddress: 2, email: 2, address: 2 } });
  for (let i = 0; i < 5; i++) {
    expect(await signIn.signIn(email, password, { ...client, ip: "198.51.100.30" })).toBeDefined();
  }
});
