import { describe, expect, it } from "vitest";
import { accentFor, contrast } from "./accent.ts";

const page = { light: "#faf9f7", dark: "#282421" } as const;

describe("the accent from a brand colour", () => {
  it("keeps a colour that is readable", () => {
    expect(accentFor("#7a1fa2", "light")).toEqual({ fill: "#7a1fa2", on: "#ffffff" });
    expect(accentFor("#9ecbff", "dark")?.fill).toBe("#9ecbff");
  });

  it("moves a colour until text on it and in it is readable, in both themes", () => {
    for (const brand of ["#e11d48", "#f97316", "#16a34a", "#0ea5e9", "#6d28d9", "#102a63", "#ff7ab8"]) {
      for (const theme of ["light", "dark"] as const) {
        const accent = accentFor(brand, theme);
        if (accent === undefined) continue;
        expect(contrast(accent.fill, page[theme]), `${brand} in ${theme}`).toBeGreaterThanOrEqual(4.5);
        expect(contrast(accent.fill, accent.on), `text on ${brand} in ${theme}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(accentFor("#f97316", "light")).toBeDefined();
    expect(accentFor("#6d28d9", "dark")).toBeDefined();
  });

  it("is darker where its own tint is under it, as in an avatar", () => {
    const { fill = "" } = accentFor("#0a7f5a", "light") ?? {};
    expect(contrast("#0a7f5a", page.light)).toBeGreaterThan(4.5);
    expect(contrast(fill, page.light)).toBeGreaterThan(contrast("#0a7f5a", page.light));
  });

  it("falls back for greys, for what would change too much and for what is no colour", () => {
    expect(accentFor("#808080", "light")).toBeUndefined();
    expect(accentFor("#fffde0", "light")).toBeUndefined();
    expect(accentFor("#0a0020", "dark")).toBeUndefined();
    expect(accentFor("red", "light")).toBeUndefined();
  });

  it("computes contrast as WCAG does", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
  });
});
