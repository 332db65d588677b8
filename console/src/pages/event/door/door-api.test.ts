import { afterEach, expect, it, vi } from "vitest";
import { doorApi } from "./door-api.ts";

afterEach(() => void vi.unstubAllGlobals());

/** What was asked, in order, of a service that answers everything with this. */
function answerWith(body: object, status = 200) {
  const asked: [method: string, address: string, body: unknown][] = [];
  vi.stubGlobal("fetch", async (address: string, init: { method: string; body: string }) => {
    asked.push([init.method, address, JSON.parse(init.body)]);
    return Response.json(body, { status });
  });
  return asked;
}

const api = doorApi("o", "e");
const base = "/api/console/organizations/o";

it("asks for the pages of the list and for changes", async () => {
  const asked = answerWith({});
  await api.readPage(null);
  await api.readPage("a+b");
  await api.readChanges("2031-05-01T18:00:00.000+00:00");
  expect(asked.map(([, address]) => address)).toEqual([
    `${base}/events/e/door`,
    `${base}/events/e/door?cursor=a%2Bb`,
    `${base}/events/e/guests/changes?since=2031-05-01T18%3A00%3A00.000%2B00%3A00`,
  ]);
});

it("sends a check-in as a preview, and then confirmed", async () => {
  const asked = answerWith({ current: { registration: { checked_in: false } }, commit_with: {} });
  const common = { event_id: "e", registration_id: "g" };
  await api.preview("g", true);
  await api.commit("g", false, { key: "k", version: "v", reason: "Left" });
  expect(asked).toEqual([
    ["POST", `${base}/tools/set_event_registration_check_in`, { ...common, checked_in: true }],
    [
      "POST",
      `${base}/tools/set_event_registration_check_in`,
      {
        ...common,
        checked_in: false,
        reason: "Left",
        dry_run: false,
        confirm: true,
        idempotency_key: "k",
        expected_version: "v",
      },
    ],
  ]);
});

it.each([
  [
    "the last person",
    [
      { to: "approved", user: { name: "Eva" } },
      { to: "approved, checked in", user: { name: "Ana" } },
      { to: "approved, checked in", user: { name: "Ines" } },
    ],
    "Ana",
  ],
  [
    "the other organization",
    [{ to: "approved, checked in", user: null, organization: "Harbour Works" }],
    "Harbour Works",
  ],
  ["nobody", [{ to: null, user: { name: "Eva" } }], null],
])("names who checked a guest in: %s", async (_who, history, by) => {
  answerWith({ registration: { checked_in_at: "2031-05-01T18:02:00.000Z" }, history });
  expect(await api.readArrival("g")).toEqual({ at: "2031-05-01T18:02:00.000Z", by });
});

it.each([
  [404, "not_found"],
  [400, "invalid_input"],
])("knows no guest where a code is answered with %s", async (status, code) => {
  answerWith({ error: "no", code }, status);
  expect(await api.scan("CODE")).toBeUndefined();
});

it("does not call a code unknown where the service cannot say", async () => {
  answerWith({ error: "no", code: "rate_limited" }, 429);
  await expect(api.scan("CODE")).rejects.toThrow("no");
});
