import { expect, it } from "vitest";
import type { Person } from "../../../contract/console/account.ts";
import { personToRenew, renewalCount, renewSession, settleRenewal } from "./renewal.ts";

const person = { id: "1" } as Person;

it("asks once for all requests that wait", async () => {
  const waiting = [renewSession(person, renewalCount()), renewSession(person, renewalCount())];
  expect(personToRenew()).toBe(person);
  settleRenewal(true);
  expect(await Promise.all(waiting)).toEqual([true, true]);
  expect(personToRenew()).toBeUndefined();
});

it("does not ask again for the late response of a request that was sent before", async () => {
  const since = renewalCount();
  const first = renewSession(person, since);
  settleRenewal(true);
  await first;
  expect(await renewSession(person, since)).toBe(true);
  expect(personToRenew()).toBeUndefined();
});

it("asks again after the page was left", async () => {
  const since = renewalCount();
  const first = renewSession(person, since);
  settleRenewal(false);
  expect(await first).toBe(false);
  void renewSession(person, since);
  expect(personToRenew()).toBe(person);
  settleRenewal(false);
});
