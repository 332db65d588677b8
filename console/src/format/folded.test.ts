import { expect, it } from "vitest";
import { folded } from "./folded.ts";

it.each([
  ["  José ÁVILA ", "jose avila"],
  ["O’Brien d'Arc", "obrien darc"],
  ["Łukasz Øster Straße", "lukasz oster strasse"],
  ["Ærø Œuvre Þór", "aero oeuvre thor"],
  ["ﬁ Ⅳ", "fi iv"],
  ["Ὀδυσσεύς", "οδυσσευσ"],
  ["محمد", "محمد"],
])("%s is searched as %s", (text, expected) => {
  expect(folded(text)).toBe(expected);
});
