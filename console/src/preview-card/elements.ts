type Child = Node | string | undefined | false;

type Properties = {
  class?: string;
  id?: string;
  /** Attributes by their name in HTML. */
  attributes?: Record<string, string>;
  onClick?: () => void;
};

/** An element. Children that are strings become text, never HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { class: className, id, attributes = {}, onClick }: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  if (className !== undefined) made.className = className;
  if (id !== undefined) made.id = id;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  if (onClick !== undefined) made.addEventListener("click", onClick);
  for (const child of children) {
    if (child !== undefined && child !== false) made.append(typeof child === "string" ? visible(child) : child);
  }
  return made;
}

/** Text that others wrote: its direction is its own, and does not reach beyond it. */
export const foreign = (text: string, className?: string): HTMLElement =>
  element("bdi", className === undefined ? {} : { class: className }, text);

/** What could hide or reorder text is shown as its code. */
export function visible(text: string): string {
  return text.replace(invisible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

/** Control characters except tabs and ends of lines, what overrides or embeds a direction, and separators of lines. */
const invisible = /[\u202a-\u202e\u2066-\u2069\u2028\u2029]|(?![\t\n\r])\p{Cc}/gu;

const svg = "http://www.w3.org/2000/svg";

/** Shapes of 24 by 24, drawn with a line. */
const shapes = {
  arrow: "M5 12h14M13 6l6 6-6 6",
  check: "M5 13l4 4L19 7",
  info: "M12 11v6M12 7.5v.01M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0",
  warning: "M12 9v5M12 17.5v.01M10.3 4 2.5 18a2 2 0 0 0 1.7 3h15.6a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0z",
};

export function icon(name: keyof typeof shapes): Element {
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", shapes[name]);
  const made = document.createElementNS(svg, "svg");
  made.setAttribute("viewBox", "0 0 24 24");
  made.setAttribute("class", `icon ${name}`);
  made.setAttribute("aria-hidden", "true");
  made.append(path);
  return made;
}
