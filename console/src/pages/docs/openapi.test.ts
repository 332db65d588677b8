import { describe, expect, it } from "vitest";
import { addressOf, type Endpoint, endpointsOf, exampleInputs, flatFields, loadOpenApi, resolver } from "./openapi.ts";
import { exampleLanguages, requestOf } from "./request-examples.ts";

const document = await loadOpenApi();
const find = (id: string): Endpoint => {
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === id) return { ...operation, method: method.toUpperCase(), path };
    }
  }
  throw new Error(`no operation ${id}`);
};

const curlOf = (...given: Parameters<typeof requestOf>) => exampleLanguages.curl.write(requestOf(...given));

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

  it("leaves out what has no value, and sends headers as headers", () => {
    const list = find("listPosters");
    const parameters = { limit: "", sort: "x", published: "true", "If-None-Match": "*" };
    expect(addressOf(list, { parameters, body: "" })).toBe("/api/svc/posters?published=true");
    expect(curlOf(list, { parameters, body: "" }).split(" \\\n  ")).toEqual([
      'curl "$SVC_URL/api/svc/posters?published=true"',
      '-H "Authorization: Bearer $SVC_KEY"',
      "-H 'If-None-Match: *'",
    ]);
    const poster = find("getPoster");
    expect(addressOf(poster, { parameters: { id: "" }, body: "" })).toBe("/api/svc/posters/{id}");
    const patch = find("reportPostedUrls");
    expect(curlOf(patch, { parameters: { id: "1" }, body: "{}" }).split(" \\\n  ")).toEqual([
      'curl -X PATCH "$SVC_URL/api/svc/posters/1"',
      '-H "Authorization: Bearer $SVC_KEY"',
      '-H "Content-Type: application/json"',
      "-d '{}'",
    ]);
  });

  it("encodes what is typed, and quotes it for the shell", () => {
    const poster = find("getPoster");
    expect(addressOf(poster, { parameters: { id: "a/../b?c" }, body: "" })).toBe("/api/svc/posters/a%2F..%2Fb%3Fc");
    const patch = find("reportPostedUrls");
    expect(curlOf(patch, { parameters: { id: "1" }, body: `{"a": "it's"}` })).toContain(`"it'\\''s"`);
  });
});

describe("the example in other languages", () => {
  const patch = requestOf(find("reportPostedUrls"), {
    parameters: { id: "1" },
    body: `{"a": [true, null, "it's"], "b": {}}`,
  });
  const image = requestOf(find("getImage"), { parameters: { file: "a.png" }, body: "" });

  it("is JavaScript that runs on Node", () => {
    expect(exampleLanguages.javascript.write(patch)).toBe(
      [
        `const response = await fetch(\`\${process.env.SVC_URL}/api/svc/posters/1\`, {`,
        '  method: "PATCH",',
        "  headers: {",
        `    Authorization: \`Bearer \${process.env.SVC_KEY}\`,`,
        '    "Content-Type": "application/json",',
        "  },",
        "  body: JSON.stringify({",
        '    "a": [',
        "      true,",
        "      null,",
        `      "it's"`,
        "    ],",
        '    "b": {}',
        "  }),",
        "});",
        "console.log(response.status, await response.json());",
      ].join("\n"),
    );
    expect(exampleLanguages.javascript.write(image)).toBe(
      `const response = await fetch(\`\${process.env.SVC_URL}/images/a.png\`);\n` +
        'console.log(response.status, (await response.arrayBuffer()).byteLength, "bytes");',
    );
  });

  it("is Python that needs no package", () => {
    expect(exampleLanguages.python.write(patch)).toBe(
      [
        "import json, os, urllib.request",
        "",
        "request = urllib.request.Request(",
        '    os.environ["SVC_URL"] + "/api/svc/posters/1",',
        '    method="PATCH",',
        "    headers={",
        '        "Authorization": "Bearer " + os.environ["SVC_KEY"],',
        '        "Content-Type": "application/json",',
        "    },",
        "    data=json.dumps({",
        '        "a": [',
        "            True,",
        "            None,",
        `            "it's",`,
        "        ],",
        '        "b": {},',
        "    }).encode(),",
        ")",
        "with urllib.request.urlopen(request) as response:",
        "    print(response.status, json.load(response))",
      ].join("\n"),
    );
    expect(exampleLanguages.python.write(image)).toContain('print(response.status, len(response.read()), "bytes")');
  });
});

describe("endpointsOf", () => {
  it("has every operation of a tag once, with its method and path", () => {
    const addresses = document.tags.map(({ name }) =>
      endpointsOf(document, name).map(({ method, path }) => `${method} ${path}`),
    );
    expect(addresses.flat().sort()).toEqual(
      Object.entries(document.paths)
        .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
        .sort(),
    );
    expect(endpointsOf(document, "posters").map(({ operationId }) => operationId)).toContain("reportPostedUrls");
  });
});

describe("flatFields", () => {
  it("says which fields are required, and how deep it went", () => {
    const inner = { type: "object", properties: { b: { type: "array", items: { $ref: "#/x/C" } } }, required: ["b"] };
    const schema = { type: "object", properties: { a: inner, d: { type: "string" } }, required: ["d"] };
    const resolve = resolver({ C: { type: "object", properties: { c: { type: "string" } } } });
    const fields = (depth?: number) =>
      flatFields(schema, resolve, depth).map(({ path, required }) => `${path}${required ? "!" : ""}`);
    expect(fields()).toEqual(["a", "a.b!", "a.b[].c", "d!"]);
    expect(fields(1)).toEqual(["a", "a.b!", "d!"]);
    expect(fields(0)).toEqual(["a", "d!"]);
  });

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
