import type { GuidePart } from "../../../plugins/guide.ts";
import { useSession } from "../../api/session.ts";
import { Code } from "./code.tsx";

const pictures = import.meta.glob<string>("../../../../docs/images/*.webp", {
  import: "default",
  query: "?url",
  eager: true,
});

/** A guide, compiled at build time from docs/, which has no HTML of its own. */
export function GuideBody({ parts }: { parts: GuidePart[] }) {
  const { public_url: publicUrl } = useSession();
  return parts.map((part, index) => {
    const key = `part ${index}`;
    if ("picture" in part) {
      return <img key={key} src={pictures[`../../../../docs/${part.picture}`]} alt={part.alt} loading="lazy" />;
    }
    return "html" in part ? (
      // biome-ignore lint/security/noDangerouslySetInnerHtml: compiled by plugins/guide.ts, which escapes HTML.
      <div key={key} dangerouslySetInnerHTML={{ __html: withAddress(part.html, publicUrl) }} />
    ) : (
      <Code
        key={key}
        code={withAddress(part.code, publicUrl)}
        language={part.language}
        label={labelOf(part.language)}
        tall
      />
    );
  });
}

const labels: Record<string, string> = { sh: "Shell", bash: "Shell", json: "JSON", ts: "TypeScript", python: "Python" };
const labelOf = (language: string): string => labels[language] ?? "Text";

/** Guides show the address of a first start; readers need that of this installation. */
function withAddress(text: string, publicUrl: string): string {
  return text.replaceAll(/http:\/\/(localhost|127\.0\.0\.1):3000|\{base_url\}/g, publicUrl);
}
