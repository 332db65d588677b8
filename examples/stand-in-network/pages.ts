import type { StoredPost } from "../stand-in-network.js";

export function postPage(post: StoredPost): string {
  return page(`Post on ${post.platform}`, card(post));
}

export function feedPage(posts: StoredPost[]): string {
  return page("Stand-in network", posts.length === 0 ? "<p>No posts yet.</p>" : posts.map(card).join("\n"));
}

function card(post: StoredPost): string {
  const address = `/${post.platform}/${post.id}`;
  return `<article>
  <a href="${escapeHtml(address)}"><img src="/images/${escapeHtml(post.image)}" alt="${escapeHtml(post.alt_text)}"></a>
  <p class="caption">${escapeHtml(post.caption)}</p>
  <p class="meta">${escapeHtml(post.platform)} · ${escapeHtml(post.created_at)}</p>
</article>`;
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 36rem; margin: 2rem auto; padding: 0 1rem; background: #f4f4f2; color: #1c1c1a }
  article { background: #fff; border: 1px solid #deded9; border-radius: 12px; overflow: hidden; margin: 0 0 1.5rem }
  img { display: block; width: 100%; height: auto }
  .caption { white-space: pre-line; margin: 1rem; overflow-wrap: anywhere }
  .meta { margin: 1rem; color: #63635c; font-size: .85rem }
</style>
<h1>${escapeHtml(title)}</h1>
${content}
</html>
`;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
