import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isApiError } from "./api-error.ts";
import { onSessionEnded } from "./client.ts";
import { commitTool, type Preview, previewTool } from "./tools.ts";

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
    fetchMock.mockImplementationOnce(() => json(200, { dry_run: false, after: {}, replayed: true }));
    const { value } = await settled(commitTool(scope, "rename", preview, "Because"));
    expect(value).toMatchObject({ replayed: true });
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

describe("errors", () => {
  it("of a limit say how long to wait", async () => {
    fetchMock.mockImplementation(() => json(429, { error: "Slow", code: "rate_limited" }, { "retry-after": "17" }));
    const { error } = await settled(previewTool(scope, "rename", {}));
    expect(error).toMatchObject({ retryAfterSeconds: 17 });
  });

  it("of an ended session are reported once per request", async () => {
    const ended = vi.fn();
    onSessionEnded(ended);
    fetchMock.mockImplementation(() => json(401, { error: "Sign in", code: "unauthorized" }));
    await settled(previewTool(scope, "rename", {}));
    expect(ended).toHaveBeenCalledTimes(1);
    onSessionEnded(() => {});
  });

  it("of a proxy are not taken for the service's", async () => {
    fetchMock.mockImplementation(() => Promise.resolve(new Response("<html>", { status: 503 })));
    const { error } = await settled(previewTool(scope, "rename", {}));
    expect(error).toMatchObject({ code: "unexpected_response", status: 503 });
  });
});
