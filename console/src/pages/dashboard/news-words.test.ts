import { expect, it } from "vitest";
import { newsInWords } from "./news-words.ts";

it("says what happened, and that there may be more where the counting stopped", () => {
  const news = { links: 1, guests: 999, changes: 1_000, counted_at_most: 1_000 };
  expect(newsInWords(news)).toEqual([
    { name: "links", words: "1 link posted" },
    { name: "guests", words: "999 guests registered" },
    { name: "changes", words: "1,000 or more changes by others" },
  ]);
  expect(newsInWords({ ...news, guests: 0 }).map(({ name }) => name)).toEqual(["links", "changes"]);
});
