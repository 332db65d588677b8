import type { News } from "../../../../contract/console/organization.ts";
import { countOf, formatCount } from "../../format/counts.ts";

const kinds = [
  { name: "links", one: "link posted", many: "links posted" },
  { name: "guests", one: "guest registered", many: "guests registered" },
  { name: "changes", one: "change by others", many: "changes by others" },
] as const;

/** What happened, kind by kind. */
export function newsInWords(news: News): { name: (typeof kinds)[number]["name"]; words: string }[] {
  return kinds
    .filter(({ name }) => news[name] > 0)
    .map(({ name, one, many }) => {
      const count = news[name];
      const isLimit = count >= news.counted_at_most;
      return { name, words: isLimit ? `${formatCount(count)} or more ${many}` : countOf(count, one, many) };
    });
}
