import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { legacy } from "../mcp/messages.js";
import type { Reply } from "../support/call.js";
import { errorBody } from "../support/error-body.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";

/** What holds for the body of a request to any of the three endpoints. */

const ticketing = { url: "http://127.0.0.1:9", apiKey: "unused" };
const { service, make } = useService(() => startService({ ticketing }));
let key: string;
let event: string;
let poster: string;

beforeAll(async () => {
  const organization = await make.organization();
  event = await make.event(await make.conference(), { hosts: [organization] });
  poster = await make.poster(event);
  key = await make.organizationKey(organization);
});

const endpoints = {
  REST: () => ({ path: `/api/svc/posters/${poster}`, method: "PATCH", body: '{"posted_urls": {}}' }),
  ticketing: () => ({ path: "/api/ticketing/event/coupons", method: "POST", body: `{"event_id": "${event}"}` }),
  MCP: () => ({ path: "/api/mcp", method: "POST", body: JSON.stringify(legacy("ping")) }),
};

/** The text of an error on any endpoint. */
const errorText = ({ json }: Reply): string => json.error.message ?? json.error;

describe.each(Object.entries(endpoints))("%s", (name, request) => {
  const send = (body: string | Buffer, headers: Record<string, string> = {}) => {
    const { path, method } = request();
    return service.call(path, { key, method, body: body as string, headers });
  };

  it("refuses a repeated key, at any depth and in any spelling", async () => {
    for (const more of ['"a": 1, "a": 1', '"a": 1, "\\u0061": 2', '"b": [{"a": 1, "a": 2}]']) {
      const reply = await send(request().body.replace("{", `{${more}, `));
      expect(reply.status, more).toBe(400);
      expect(errorText(reply)).toMatch(/^body: .*expected each key once, but "a" is repeated$/);
    }
  });

  it("says where invalid JSON is invalid", async () => {
    const reply = await send('{\n  "a": oops\n}');
    expect(reply.status).toBe(400);
    expect(errorText(reply)).toBe("body: invalid JSON at line 2, column 8: expected a value");
  });

  it("refuses a compressed body with a 415", async () => {
    const { body } = request();
    for (const encoding of ["gzip", "br", "deflate", "nonsense"]) {
      const compressed = JSON.stringify([...gzipSync(body)]);
      const reply = await send(compressed, { "content-encoding": encoding });
      expect(reply.status).toBe(415);
      expect(errorText(reply)).toBe("Content-Encoding: expected an uncompressed body");
      expect(reply.headers.get("accept-encoding")).toBe("identity");
    }
    expect((await send(body, { "content-encoding": "identity" })).status).not.toBe(415);
  });

  it("accepts application/merge-patch+json for a PATCH only", async () => {
    const reply = await send(request().body, { "content-type": "application/merge-patch+json" });
    expect(reply.status).toBe(name === "REST" ? 200 : 415);
  });
});

it("a REST or ticketing error names its field, code and request", async () => {
  for (const [{ path, method }, body, field] of [
    [endpoints.REST(), '{"posted_urls": {"x": 1}}', "posted_urls.x"],
    [endpoints.REST(), "[]", "body"],
    [endpoints.ticketing(), "{}", "event_id"],
    [endpoints.ticketing(), `{"event_id": "${event}", "a": {"eventId": "x"}}`, "a.eventId"],
  ] as const) {
    const reply = await service.call(path, { key, method, body });
    expect(reply.status).toBe(400);
    expect(reply.json).toEqual(errorBody("invalid_input", expect.stringContaining(`${field}: `), field));
    expect(reply.json.request_id).toBe(reply.headers.get("x-request-id"));
  }
});
