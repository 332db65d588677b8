import { afterAll, beforeAll, expect, it } from "vitest";
import { type Service, startService } from "../support/service.js";

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

it("a browser gets a page for an address that does not exist, with the status 404", async () => {
  const reply = await service.call("/nothing/here", { headers: browser });
  expect(reply.status).toBe(404);
  expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(reply.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(reply.text).toContain('<div id="root">');
});

it.each([
  ["a program", "/nothing/here", { accept: "*/*" }],
  ["a browser that opens an unknown path of the API", "/api/svc/nothing", browser],
  ["a browser that opens an image that does not exist", "/images/nothing.png", browser],
  ["a page that asks for an asset of another version", "/assets/nothing-1a2b3c4d.js", browser],
  ["a page that asks for something beside the assets", "/assets/..%2findex.html", browser],
])("%s gets the error", async (_who, path, headers) => {
  const reply = await service.call(path, { headers });
  expect(reply.status).toBe(404);
  expect(reply.json).toMatchObject({ code: "not_found" });
});
