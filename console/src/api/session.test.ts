import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Organization, Session } from "../../../contract/console/account.ts";
import type { Role } from "../../../contract/roles.ts";
import { ApiError } from "./api-error.ts";
import { orRememberedSession, rememberSession } from "./offline-session.ts";
import { findOrganization, homeOf, rememberOrganization, signOut } from "./session.ts";

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

const organization = (slug: string, role: Role): Organization => ({
  id: `id-of-${slug}`,
  slug,
  name: slug,
  role,
  logo_url: null,
  brand_primary_color: null,
  visited_at: null,
});
const session = (organizations: Organization[], platform_admin = false): Session => ({
  person: { id: "p", name: "Ana", email: "ana@example.com", platform_admin },
  organizations,
  sign_in: { oidc: null, mail: false },
  version: "1",
  public_url: "https://svc.test",
});
const several = session([
  organization("quay", "member"),
  organization("harbour", "owner"),
  organization("pier", "admin"),
]);

it("finds an organization by its slug and by its id", () => {
  expect(findOrganization(several, "harbour")?.slug).toBe("harbour");
  expect(findOrganization(several, "id-of-pier")?.slug).toBe("pier");
  expect(findOrganization(several, "elsewhere")).toBeUndefined();
  expect(findOrganization(several, undefined)).toBeUndefined();
});

it("leads to the organization that was used last, else to the one with the highest role", () => {
  expect(homeOf(several)).toBe("/o/harbour");
  rememberOrganization("quay");
  expect(homeOf(several)).toBe("/o/quay");
  rememberOrganization("left-since");
  expect(homeOf(several)).toBe("/o/harbour");
});

it("leads to the organization that was visited last in another browser", () => {
  const [quay, harbour, pier] = several.organizations as [Organization, Organization, Organization];
  const visited = (each: Organization, day: number) => ({ ...each, visited_at: `2026-01-0${day}T00:00:00.000Z` });
  expect(homeOf(session([visited(quay, 1), harbour, visited(pier, 2)]))).toBe("/o/pier");
  rememberOrganization("harbour");
  expect(homeOf(session([visited(quay, 1), harbour, visited(pier, 2)]))).toBe("/o/harbour");
});

it("leads people without an organization to the administration, or to their account", () => {
  expect(homeOf(session([], true))).toBe("/admin");
  expect(homeOf(session([]))).toBe("/account");
  expect(homeOf(session([organization("pier", "member")], true))).toBe("/o/pier");
});

it("remembers the session for the door only, and only while the service cannot be reached", () => {
  const unreachable = new ApiError("gone", { status: 0, code: "network" });
  const result = (pathname: string, error: unknown = unreachable) => {
    vi.stubGlobal("location", { pathname });
    try {
      return orRememberedSession(error);
    } catch (thrown) {
      return thrown;
    }
  };
  expect(result("/o/pier/events/1/door")).toBe(unreachable);
  rememberSession(several);
  expect(result("/o/pier/events/1/door")).toEqual(several);
  expect(result("/o/pier/events/1/guests")).toBe(unreachable);
  const refused = new ApiError("Sign in", { status: 401, code: "unauthorized" });
  expect(result("/o/pier/events/1/door", refused)).toBe(refused);
});

it("keeps nothing of a person who has signed out, and everything of one who could not", async () => {
  rememberSession(several);
  rememberOrganization("quay");
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no connection")));
  await expect(signOut()).rejects.toThrow();
  expect(stored.size).toBe(2);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
  await signOut();
  expect(stored.size).toBe(0);
});
