import { Marked, type Token, type Tokens } from "marked";
import type { Plugin } from "vite";

export type Heading = { id: string; text: string; level: number };

/** A guide in parts: code is separate from HTML, because it gets a button to copy it, and so are pictures, which the build names. */
export type GuidePart = { html: string } | { code: string; language: string } | { picture: string; alt: string };

export type Guide = { title: string; parts: GuidePart[]; headings: Heading[] };

/** Where a link of a page in docs/ leads on the site; null for a file that is only in the repository. */
export type ResolveLink = (target: string) => string | null;

/** Compiles the pages of docs/ when they are imported. */
export function guides(resolveLink: ResolveLink): Plugin {
  return {
    name: "guides",
    enforce: "pre",
    transform(text, id) {
      if (!/\/docs\/[a-z-]+\.md$/.test(id)) return undefined;
      return { code: `export default ${JSON.stringify(compileGuide(text, resolveLink))};`, map: null };
    },
  };
}

export function compileGuide(text: string, resolveLink: ResolveLink): Guide {
  const headings: Heading[] = [];
  const marked = createMarked(headings, resolveLink);
  const [title, ...tokens] = marked.lexer(text);
  if (title?.type !== "heading" || title.depth !== 1) throw new Error("a guide starts with its title");
  const parts: GuidePart[] = [];
  let pending: Token[] = [];
  const flush = () => {
    if (pending.length > 0) parts.push({ html: marked.parser(pending) });
    pending = [];
  };
  for (const token of tokens) {
    const picture = pictureOf(token);
    if (token.type === "code") {
      flush();
      parts.push({ code: token.text, language: token.lang ?? "" });
    } else if (picture !== undefined) {
      flush();
      parts.push(picture);
    } else if (token.type !== "space") pending.push(token);
  }
  flush();
  return { title: title.text, parts, headings };
}

/** Of a paragraph that is a picture. */
function pictureOf(token: Token): GuidePart | undefined {
  const [first, ...others] = token.type === "paragraph" ? (token.tokens ?? []) : [];
  return first?.type === "image" && others.length === 0 ? { picture: first.href, alt: first.text } : undefined;
}

function createMarked(headings: Heading[], resolveLink: ResolveLink): Marked {
  const marked = new Marked();
  marked.use({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const plain = text.replace(/[`*]/g, "");
        const id = headingId(plain);
        headings.push({ id, text: plain, level: depth });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}<a class="anchor" href="#${id}" aria-label="${escapeHtml(`Link to “${plain}”`)}">#</a></h${depth}>`;
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens);
        if (/^https?:/.test(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${text}</a>`;
        const target = href.startsWith("#") ? href : resolveLink(href);
        return target === null ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      table({ header, rows }: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("");
        const body = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
        const head = header.map(({ tokens, text }) =>
          text === "" ? "<td></td>" : `<th scope="col">${this.parser.parseInline(tokens)}</th>`,
        );
        const label = escapeHtml(
          `Table: ${header
            .map(({ text }) => text.replace(/[`*]/g, ""))
            .filter(Boolean)
            .join(", ")}`,
        );
        return `<div class="table" role="group" tabindex="0" aria-label="${label}"><table><thead><tr>${head.join("")}</tr></thead><tbody>${body}</tbody></table></div>`;
      },
      // The pages have no HTML of their own; if one gets some, it is shown as text.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    },
  });
  return marked;
}

/** As GitHub makes them, so that links between the pages work there too. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
