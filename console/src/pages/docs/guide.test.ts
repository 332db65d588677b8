import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { linkResolver } from "../../../plugins/documentation.ts";
import { compileGuide, type Guide } from "../../../plugins/guide.ts";
import { guideEntries } from "../../../plugins/search-entries.ts";
import { allPages } from "./site.ts";

const docs = new URL("../../../../docs/", import.meta.url);
const read = (name: string) => readFileSync(new URL(name, docs), "utf8");
const { tools } = JSON.parse(read("reference.json")) as { tools: { name: string; group: string }[] };
const resolveLink = linkResolver(new Map(tools.map(({ name, group }) => [name, group])));
const names = readdirSync(docs).filter((name) => name.endsWith(".md") && name !== "tools.md");
const guides = new Map(names.map((name) => [name.replace(".md", ""), compileGuide(read(name), resolveLink)]));
const htmlOf = ({ parts }: Guide) => parts.map((part) => ("html" in part ? part.html : "")).join("");

describe("compileGuide", () => {
  it("separates code from HTML and collects headings", () => {
    const guide = compileGuide("# A guide\n\nText.\n\n## First `part`\n\n```sh\nls <x>\n```\n\nEnd.\n", resolveLink);
    expect(guide.title).toBe("A guide");
    expect(guide.headings).toEqual([{ id: "first-part", text: "First part", level: 2 }]);
    expect(guide.parts.map((part) => ("code" in part ? part : "html"))).toEqual([
      "html",
      { code: "ls <x>", language: "sh" },
      "html",
    ]);
  });

  it("separates pictures", () => {
    const { parts } = compileGuide("# A guide\n\n![Some boats](images/boats.webp)\n\nText.\n", resolveLink);
    expect(parts).toEqual([{ picture: "images/boats.webp", alt: "Some boats" }, { html: expect.any(String) }]);
  });

  it("shows HTML as text, and makes no script or style of any kind", () => {
    const guide = compileGuide(
      '# T\n\n<script>alert(1)</script>\n\nA <b onclick="x()">b</b> [c](javascript:alert(1)) ![d](x.png)\n',
      resolveLink,
    );
    expect(htmlOf(guide)).not.toMatch(/<script|<b|<img[^>]*onerror|href="javascript|style=/);
    expect(htmlOf(guide)).toContain("&#60;script&#62;");
  });

  it("refuses a page without a title", () => {
    expect(() => compileGuide("Text", resolveLink)).toThrow("starts with its title");
  });
});

describe("the pages of the documentation", () => {
  it("contain every guide, every tag and every group of tools once", () => {
    const openapi = JSON.parse(read("openapi.json")) as { tags: { name: string }[] };
    const expected = [
      ...[...guides.keys()].map((slug) => (slug === "overview" ? "/docs" : `/docs/${slug}`)),
      ...openapi.tags.map(({ name }) => `/docs/api/${name}`),
      ...[...new Set(tools.map(({ group }) => group))].map((group) => `/docs/tools/${group}`),
      ...["/docs/tools", "/docs/errors"],
    ];
    expect(allPages.map(({ path }) => path).sort()).toEqual(expected.sort());
  });

  it.each([...guides])("%s: links lead to pages and headings that exist", (_slug, guide) => {
    const paths = new Set(allPages.map(({ path }) => path));
    for (const [, href = ""] of htmlOf(guide).matchAll(/<a href="([^"]*)"/g)) {
      if (href.startsWith("https:")) continue;
      const [path = "", hash] = href.split("#");
      if (path !== "") expect(paths, href).toContain(path);
      const target = path === "" ? guide : guides.get(path === "/docs" ? "overview" : path.replace("/docs/", ""));
      if (hash !== undefined && target !== undefined) expect(target.headings.map(({ id }) => id)).toContain(hash);
    }
  });

  it.each([...guides])("%s: pictures exist", (_slug, guide) => {
    const pictures = guide.parts.flatMap((part) => ("picture" in part ? [part.picture] : []));
    const files = readdirSync(new URL("images/", docs)).map((name) => `images/${name}`);
    for (const picture of pictures) expect(files).toContain(picture);
  });

  it.each([...guides])("%s: has headings with different ids and no inline style", (_slug, guide) => {
    const ids = guide.headings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(htmlOf(guide)).not.toMatch(/\sstyle=|\salign=/);
  });

  it("can be searched by section", () => {
    const entries = guideEntries("api", guides.get("api") as Guide);
    const limits = entries.find(({ title }) => title === "Rate limits");
    expect(limits).toMatchObject({ path: "/docs/api#rate-limits", page: "The REST API" });
    expect(limits?.text).toContain("60 requests per minute per key");
    expect(entries.every(({ text }) => !/<\w|&#\d+;/.test(text.replaceAll(/<API_KEY>|<…>/g, "")))).toBe(true);
  });
});
