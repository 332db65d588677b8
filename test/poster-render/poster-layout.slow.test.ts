import { expect, test } from "vitest";
import { posterTemplates } from "../../contract/poster-designs.js";
import { describeLayout } from "./describe-layout.js";
import { everyDesign, formats, latinSquare } from "./poster-material.js";

test("the sampled designs cover every template and every format", () => {
  expect(latinSquare(0).map(({ template }) => template)).toEqual([...posterTemplates]);
  expect(latinSquare(0).map(({ format }) => format)).toEqual(formats);
  expect(formats.flatMap((_, shift) => latinSquare(shift))).toHaveLength(everyDesign.length);
});

describeLayout({ designs: latinSquare(0), squares: () => 1 });
