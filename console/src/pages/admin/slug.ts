import { folded } from "../../format/folded.ts";

/** "Open Web Days 2027" → "open-web-days-2027". */
export function slugOf(name: string): string {
  return folded(name)
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 100);
}
