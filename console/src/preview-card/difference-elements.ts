import type { Difference } from "../format/differences.ts";
import { wordDiff } from "../format/word-diff.ts";
import { element, foreign, icon } from "./elements.ts";

/** What changes, field by field. Removed and added are marked by more than colour, and said by screen readers. */
export function differenceRows(differences: Difference[]): HTMLElement[] {
  return differences.map((difference) => row(difference.label, describe(difference)));
}

export function row(label: string, ...value: (Node | string)[]): HTMLElement {
  return element("div", { class: "row" }, element("dt", {}, foreign(label)), element("dd", {}, ...value));
}

function describe(difference: Difference): HTMLElement {
  switch (difference.kind) {
    case "value":
      return beforeAfter(difference.from, difference.to);
    case "text":
      return words(difference.from, difference.to);
    case "order":
      return element("ol", {}, ...difference.to.map((name) => element("li", {}, foreign(name))));
    case "row":
      return wholeRow(difference);
  }
}

function beforeAfter(from: string | null, to: string | null): HTMLElement {
  return element(
    "span",
    { class: "change" },
    hidden("from "),
    element("span", { class: "before" }, value(from)),
    element("span", { class: "after" }, icon("arrow"), hidden(" to "), value(to)),
  );
}

function value(text: string | null): HTMLElement {
  if (text === null) return element("em", {}, "empty");
  if (!/^#[0-9a-f]{6}$/i.test(text)) return foreign(text);
  const swatch = element("span", { class: "swatch" });
  swatch.style.backgroundColor = text;
  return element("span", {}, swatch, text);
}

function words(from: string, to: string): HTMLElement {
  const parts = wordDiff(from, to).map(({ kind, text }) => {
    if (kind === "same") return element("span", {}, text);
    return element(
      kind === "added" ? "ins" : "del",
      {},
      hidden(kind === "added" ? " [added:] " : " [removed:] "),
      text,
    );
  });
  return element("div", { class: "words", attributes: { dir: "auto" } }, ...parts);
}

function wholeRow({ change, fields }: Difference & { kind: "row" }): HTMLElement {
  const items = fields.map(({ name, value: text }) =>
    element("li", {}, element("span", { class: "muted" }, `${name}: `), foreign(text)),
  );
  return element(
    "div",
    {},
    element("span", { class: `tag ${change}` }, change === "added" ? "Added" : "Removed"),
    items.length > 0 && element("ul", { class: "fields" }, ...items),
  );
}

/** For screen readers only. */
const hidden = (text: string): HTMLElement => element("span", { class: "hidden" }, text);
