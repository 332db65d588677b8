import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, isApiError } from "./api-error.ts";
import { addressOf, call, onSessionEnded, request } from "./client.ts";
import { changeAtOnce, commitTool, type Preview, previewTool, readTool, responseIsMissing } from "./tools.ts";

const preview: Preview = {
  dry_run: true,
  current: {},
  proposed: {},
  changes: [],
  warnings: [],
  commit_with: { name: "New", dry_run: false, confirm: true, idempotency_key: "key-1-key", expected_version: "v1" },
};
const scope = { organization: "o/1" };
const lost = () => Promise.reject(new TypeError("Failed to fetch"));
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Promise.resolve(new Response(JSON.stringify(body), { status, headers }));

const fetchMock = vi.fn<(url: string, options: RequestInit) => Promise<Response>>();

beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock.mockReset());
  vi.useFakeTimers();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function settled<Result>(promise: Promise<Result>) {
  const outcome = promise.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );
  await vi.runAllTimersAsync();
  return outcome;
}

describe("a commit", () => {
  it("whose response is lost is repeated with the same key, version and reason", async () => {
    fetchMock.mockImplementationOnce(lost).mockImplementationOnce(() => json(502, "proxy"));
    fetchMock.mockImplementationOnce(() => json(200, { dry_run: false, before: {}, after: {}, record_id: "r" }));
    const { value } = await settled(commitTool(scope, "rename", preview, "Because"));
    expect(value).toMatchObject({ record_id: "r" });
    const bodies = fetchMock.mock.calls.map(([, { body }]) => body);
    expect(bodies).toHaveLength(3);
    expect(new Set(bodies)).toEqual(new Set([JSON.stringify({ ...preview.commit_with, reason: "Because" })]));
    expect(fetchMock.mock.calls[0]?.[0]).toBe("/api/console/organizations/o%2F1/tools/rename");
  });

  it("is tried three times at most", async () => {
    fetchMock.mockImplementation(lost);
    const { error } = await settled(commitTool(scope, "rename", preview, "Because"));
    expect(isApiError(error, "network")).toBe(true);
    expect(fetchMock).toHaveBeenCalledTimes(3);
  });

  it("that was refused is not repeated", async () => {
    const body = { error: "needs the role admin", code: "forbidden", request_id: "r1", details: { a: 1 } };
    fetchMock.mockImplementation(() => json(403, body));
    const { error } = await settled(commitTool("platform", "rename", preview, "Because"));
    expect(error).toMatchObject({ status: 403, code: "forbidden", requestId: "r1", details: { a: 1 } });
    expect(fetchMock).toHaveBeenCalledTimes(1);
    expect(fetchMock.mock.calls[0]?.[0]).toBe("/api/console/admin/tools/rename");
  });
});

it("previews with the arguments alone, and commits at once what was previewed", async () => {
  fetchMock.mockImplementationOnce(() => json(200, preview));
  fetchMock.mockImplementationOnce(() => json(200, { dry_run: false, after: { name: "New" } }));
  const { value } = await settled(changeAtOnce(scope, "rename", { name: "New" }, "Because"));
  expect(value).toEqual({ dry_run: false, after: { name: "New" } });
  expect(fetchMock.mock.calls.map(([, { method, body }]) => [method, JSON.parse(String(body))])).toEqual([
    ["POST", { name: "New" }],
    ["POST", { ...preview.commit_with, reason: "Because" }],
  ]);
});

it("runs a tool without arguments with none", async () => {
  fetchMock.mockImplementation(() => json(200, { items: [] }));
  expect((await settled(readTool("o1", "list_event_registrations"))).value).toEqual({ items: [] });
  expect(fetchMock.mock.calls[0]).toMatchObject([
    "/api/console/organizations/o1/tools/list_event_registrations",
    { body: "{}" },
  ]);
});

it.each([
  [0, "network", true],
  [502, "unexpected_response", true],
  [503, "unavailable", true],
  [500, "internal", false],
  [429, "rate_limited", false],
  [409, "version_conflict", false],
])("status %i, %s: the request may have been carried out: %s", (status, code, expected) => {
  expect(responseIsMissing(new ApiError("Why", { status, code }))).toBe(expected);
});

describe("a request", () => {
  it("has each parameter of its path encoded, and the parts of its query that have a value", () => {
    expect(addressOf("event", { organization: "a/b", event: "c?d" })).toBe(
      "/api/console/organizations/a%2Fb/events/c%3Fd",
    );
    const query = { q: "a&b", status: undefined, cursor: "" };
    expect(addressOf("adminConferences", { query })).toBe("/api/console/admin/conferences?q=a%26b");
    expect(addressOf("adminConferences", { query: {} })).toBe("/api/console/admin/conferences");
  });

  it("reads without a body, and revalidates", async () => {
    fetchMock.mockImplementation(() => json(200, { a: 1 }));
    expect((await settled(request("/api/x"))).value).toEqual({ a: 1 });
    const [, options] = fetchMock.mock.calls[0] ?? [];
    expect(options).toMatchObject({ method: "GET", body: null, cache: "no-cache", credentials: "same-origin" });
    expect(options?.headers).toEqual({ accept: "application/json" });
  });

  it("resolves with nothing where there is no content", async () => {
    fetchMock.mockImplementation(() => Promise.resolve(new Response(null, { status: 204 })));
    expect(await settled(call("noteVisit", { organization: "o" }))).toEqual({ value: undefined, error: undefined });
  });

  it("that was aborted is no lost connection", async () => {
    fetchMock.mockImplementation(lost);
    const { error } = await settled(request("/api/x", { signal: AbortSignal.abort() }));
    expect(isApiError(error)).toBe(false);
  });
});

describe("errors", () => {
  it("of a limit say how long to wait", async () => {
    fetchMock.mockImplementation(() => json(429, { error: "Slow", code: "rate_limited" }, { "retry-after": "17" }));
    const { error } = await settled(previewTool(scope, "rename", {}));
    expect(error).toMatchObject({ retryAfterSeconds: 17 });
  });

  it("of an ended session are reported once per request", async () => {
    const ended = vi.fn(() => Promise.resolve(false));
    onSessionEnded(ended);
    fetchMock.mockImplementation(() => json(401, { error: "Sign in", code: "unauthorized" }));
    await settled(previewTool(scope, "rename", {}));
    expect(ended).toHaveBeenCalledTimes(1);
    const { error } = await settled(
      call("signIn", { body: { email: "a@example.com", password: "wrong" } }, { withoutSession: true }),
    );
    expect(isApiError(error, "unauthorized")).toBe(true);
    expect(ended).toHaveBeenCalledTimes(1);
    onSessionEnded(() => Promise.resolve(false));
  });

  it("have the id of the request, also where only a header has it", async () => {
    const headers = { "x-request-id": "r2", "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" };
    fetchMock.mockImplementation(() => json(400, { error: "No", code: "invalid_input", field: "name" }, headers));
    const { error } = await settled(previewTool(scope, "rename", {}));
    expect(error).toMatchObject({ requestId: "r2", field: "name", retryAfterSeconds: undefined });
  });

  it("of a proxy are not taken for the service's", async () => {
    fetchMock.mockImplementation(() => Promise.resolve(new Response("<html>", { status: 503 })));
    const { error } = await settled(previewTool(scope, "rename", {}));
    expect(error).toMatchObject({ code: "unexpected_response", status: 503 });
  });
});
