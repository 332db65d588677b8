import { shortText } from "./shortened.js";

/** Where this service serves a picture: the SHA-256 of its bytes and its type. */
export const imagePathPattern = /^\/images\/([0-9a-f]{64})\.\w+$/;

/** What a picture is called when it is saved: people find it again by this name. */
export function posterFileName(poster: { title: string | null; format: unknown; event: string }, path: string): string {
  const { title, format, event } = poster;
  const parts = [title === null ? event : title, ...(typeof format === "string" ? [format] : [])];
  const extension = /\.(png|jpe?g|webp)$/i.exec(path)?.[0].toLowerCase() ?? ".png";
  return `${safeName(parts.join(" – "))}${extension}`;
}

const longestName = 80;

/** Without what a system does not take in the name of a file. */
export function safeName(text: string): string {
  const name = text.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]+/gu, " ").replace(/\s+/g, " ");
  return (shortText(name.trim(), longestName) ?? "").replace(/^[. ]+|[. ]+$/g, "") || "poster";
}
