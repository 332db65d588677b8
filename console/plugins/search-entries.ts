import type { Guide, GuidePart } from "./guide.ts";

/** What the search finds: a section of a guide, an operation or a tool. */
export type SearchEntry = { path: string; page: string; title: string; text: string };

export function guideEntries(slug: string, { title, parts, headings }: Guide): SearchEntry[] {
  const path = slug === "overview" ? "/docs" : `/docs/${slug}`;
  const htmlOf = (part: GuidePart): string => {
    if ("html" in part) return part.html;
    return "code" in part ? `<pre>${escapeText(part.code)}</pre>` : "";
  };
  const html = parts.map(htmlOf).join("\n");
  const [introduction = "", ...sections] = html.split(/(?=<h[23] id=")/);
  const entries = sections.map((section, index): SearchEntry => {
    const { id = "", text = "" } = headings[index] ?? {};
    return { path: `${path}#${id}`, page: title, title: text, text: textOf(section.replace(/<h[23].*?<\/h[23]>/, "")) };
  });
  return [{ path, page: "Guide", title, text: textOf(introduction) }, ...entries];
}

type Parameter = { name: string; description?: string };
type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: Parameter[];
  deprecated?: boolean;
};

export function operationEntries(openapi: { paths: Record<string, Record<string, Operation>> }): SearchEntry[] {
  return Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path: `/docs/api/${operation.tags[0]}#${operation.operationId}`,
      page: "API reference",
      title: `${method.toUpperCase()} ${path}`,
      text: [
        operation.operationId,
        operation.summary,
        operation.description ?? "",
        ...(operation.parameters ?? []).map(({ name, description = "" }) => `${name} ${description}`),
      ].join(" "),
    })),
  );
}

type Tool = { name: string; title: string; group: string; description: string; input: { properties?: object } };

export function toolEntries(tools: Tool[]): SearchEntry[] {
  return tools.map(({ name, title, group, description, input }) => ({
    path: `/docs/tools/${group}#${name}`,
    page: "Tools",
    title: name,
    text: [title, description, ...Object.keys(input.properties ?? {})].join(" "),
  }));
}

function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, " ")
    .replace(/&#(\d+);/g, (_match, code: string) => String.fromCharCode(Number(code)))
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();
}

function escapeText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}
