import { createRequire } from "node:module";
import { FetchedRequest } from "./fetched-request.ts";
import { StreamedEventSource } from "./streamed-event-source.ts";

// Set-up file of the project "pages": a document in which the pages of the console run. It is no browser: it knows no
// layout, so everything has the same size and nothing can be scrolled or dragged.

type DomWindow = Window & typeof globalThis & Record<string, unknown>;
const { JSDOM } = createRequire(import.meta.url)("jsdom") as {
  JSDOM: new (html: string, options: object) => { window: DomWindow };
};

/** Names that Node has too, with another meaning. Everything else that Node has, such as fetch and URL, stays. */
const replaced = ["Event", "CustomEvent", "MessageEvent", "navigator", "localStorage", "sessionStorage"];
const inherited = ["addEventListener", "removeEventListener", "dispatchEvent"];

class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** What jsdom lacks. */
const missing = {
  CSS: { escape: (text: string) => text.replaceAll(/[^\w-]/g, "\\$&"), supports: () => false },
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  EventSource: StreamedEventSource,
  XMLHttpRequest: FetchedRequest,
  ResizeObserver: Observer,
  IntersectionObserver: Observer,
  visualViewport: null,
  scrollTo() {},
};

if (!("document" in globalThis)) {
  const { window } = new JSDOM("<!doctype html><body></body>", { url: "http://127.0.0.1/", pretendToBeVisual: true });
  Object.assign(window, missing);
  const names = [...Object.getOwnPropertyNames(window), ...inherited];
  for (const name of names.filter((each) => !(each in globalThis) || replaced.includes(each))) {
    const value = window[name];
    const isMethod = typeof value === "function" && !/^[A-Z]/.test(name);
    const shown: unknown = isMethod ? value.bind(window) : value;
    Object.defineProperty(globalThis, name, { value: shown, configurable: true, writable: true });
  }
  const size = { configurable: true, get: () => 800 };
  for (const name of ["offsetWidth", "offsetHeight", "clientWidth", "clientHeight"]) {
    Object.defineProperty(window.HTMLElement.prototype, name, size);
  }
  Object.assign(window.Element.prototype, { scrollIntoView() {}, scrollTo() {} });
  globalThis.getComputedStyle = window.getComputedStyle = ownStyle;
  knowElement(window.document, "search");
  noteNoStacks();
}

/** The style of an element itself. There are no style sheets here, and jsdom would search those of a browser each time. */
function ownStyle(element: Element): CSSStyleDeclaration {
  return new Proxy((element as HTMLElement).style, {
    get(style, name) {
      if (name === "display" && element.hasAttribute("hidden")) return "none";
      const value: unknown = Reflect.get(style, name);
      return typeof value === "function" ? value.bind(style) : value;
    },
  });
}

/** React reports elements as mistyped that the document does not know. */
function knowElement(document: Document, known: string): void {
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    return name === known ? Object.defineProperty(element, Symbol.toStringTag, { value: "HTMLElement" }) : element;
  };
}

/** React would note a stack trace for each element that it creates, up to ten thousand in a second. */
function noteNoStacks(): void {
  const react = createRequire(import.meta.url)("react") as Record<string, object>;
  const internals = react.__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE;
  Object.defineProperty(internals, "recentlyCreatedOwnerStacks", { get: () => 10_000, set() {} });
}
