import { expect, it } from "vitest";
import { posterFileName } from "./poster-files.js";

const event = "Opening Keynote";

it.each([
  [{ title: "Café São Bento", format: "portrait" }, "/images/ab.png", "Café São Bento – portrait.png"],
  [{ title: null, format: 7 }, "/images/ab.jpg", "Opening Keynote.jpg"],
  [{ title: "../../etc/passwd", format: null }, "/images/ab.webp", "etc passwd.webp"],
  [{ title: 'a/b\\c:d*e?f"g<h>i|j\n', format: "story" }, "https://example.com/a", "a b c d e f g h i j – story.png"],
  [{ title: "東京", format: "square" }, "/images/ab.png", "東京 – square.png"],
  [{ title: "...", format: null }, "/images/ab.png", "poster.png"],
])("names the picture of %j at %s", (poster, path, name) => {
  expect(posterFileName({ ...poster, event }, path)).toBe(name);
});

it("keeps names short", () => {
  expect(posterFileName({ title: "x".repeat(300), format: null, event }, "a.png").length).toBe(85);
});
