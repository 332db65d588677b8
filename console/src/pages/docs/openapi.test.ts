import { describe, expect, it } from "vitest";
import { addressOf, curlOf, type Endpoint, exampleInputs, flatFields, loadOpenApi, resolver } from "./openapi.ts";

const document = await loadOpenApi();
const find = (id: string): Endpoint => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === id) return { ...operation, method: method.toUpperCase(), path };
    }
  }
  throw new Error(`no operation ${id}`);
};

describe("the example request", () => {
  it("fills path, query and body", () => {
    const patch = find("reportPostedUrls");
    expect(addressOf(patch, exampleInputs(patch))).toMatch(/^\/api\/svc\/posters\/[0-9a-f-]{36}$/);
    expect(curlOf(patch, exampleInputs(patch))).toContain(`-d '{\n  "posted_urls"`);
    const list = find("listPosters");
    expect(addressOf(list, exampleInputs(list))).toBe("/api/svc/posters?limit=1&published=true");
  });

  it("sends no key to public operations", () => {
    expect(curlOf(find("describeApi"), exampleInputs(find("describeApi")))).toBe('curl "$SVC_URL/api/svc"');
  });

  it("encodes what is typed, and quotes it for the shell", () => {
    const poster = find("getPoster");
    expect(addressOf(poster, { parameters: { id: "a/../b?c" }, body: "" })).toBe("/api/svc/posters/a%2F..%2Fb%3Fc");
    const patch = find("reportPostedUrls");
    expect(curlOf(patch, { parameters: { id: "1" }, body: `{"a": "it's"}` })).toContain(`'{"a": "it'\\''s"}'`);
  });
});

describe("flatFields", () => {
  it("lists nested fields with their path", () => {
    const schema = find("listPosters").responses[200]?.content?.["application/json"]?.schema ?? {};
    const paths = flatFields(schema, resolver(document.components.schemas)).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["items", "items[].posted_urls", "pagination.next_cursor"]));
  });

  it("lists the fields of all choices", () => {
    const schema = find("createCoupon").requestBody?.content["application/json"]?.schema ?? {};
    const paths = flatFields(schema, resolver({})).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(["discount.percent_off", "discount.cents_off"]));
  });
});
