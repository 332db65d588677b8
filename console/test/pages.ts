import { type BoundFunctions, configure, type queries, waitFor, within } from "@testing-library/dom";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { type ConsoleService, startConsole } from "../../test/console/support.js";
import { checkPageResponse } from "../../test/support/console-responses.js";
import { type Make, makerOn } from "../../test/support/make.js";
import type { Service } from "../../test/support/service.js";

export type Queries = BoundFunctions<typeof queries>;

/** A page of the console in a document, over the whole service. Queries search all of it, dialogs and messages too. */
export type Page = Queries & {
  user: UserEvent;
  /** The dialog that is open, once there is one. */
  dialog(name?: string | RegExp): Promise<Queries>;
  /** Clicks the button with this name, once it is there and can be pressed. */
  press(name: string | RegExp): Promise<void>;
  /** Enters a text into a field at once, where it makes no difference that people type it letter by letter. */
  enter(field: HTMLElement, text: string): Promise<void>;
  /** The same, in the place of what was there. */
  fill(field: HTMLElement, text: string): Promise<void>;
  /** Enters a day and a time of day, "2031-05-04T20:00", into the field with this label. */
  fillTime(label: string, local: string): Promise<void>;
  /** Chooses an item of the menu that the button opens. */
  choose(button: string | RegExp, item: string | RegExp): Promise<void>;
  /** Undoes the last change that offers it. */
  undo(): Promise<void>;
  path(): string;
  /** What the browser would send. Signing in and out changes it. */
  cookie(): string | undefined;
};

export type Pages<Started extends Service = ConsoleService> = {
  service: Started;
  make: Make;
  /** Opens the console at a path, for whoever has the cookie. Replaces the page that was open. */
  open(path: string, cookie?: string): Promise<Page>;
  /** Errors that were logged since the last call, for tests that expect one. */
  takeErrors(): string[];
};

configure({
  // On a busy machine, it can take a while until something is shown.
  asyncUtilTimeout: 30_000,
  // The error that a wait ends with is passed once more when the time is over.
  getElementError: (message) =>
    new Error(message?.includes(" says: ") ? message : `${message?.split("\n", 1)[0]}. ${whatIsShown()}`),
});

function whatIsShown(): string {
  const dialog = document.querySelector("[role=dialog]");
  const text = (dialog ?? document.body).textContent;
  return `The ${dialog === null ? "page" : "dialog"} says: ${text.length > 1_000 ? `${text.slice(0, 1_000)} …` : text}`;
}

/** All files of a worker that start a service in the same way use one, which ends with the run. */
const shared = new Map<() => Promise<Service>, Promise<Service>>();

export function withPages(): Pages;
export function withPages<Started extends Service>(start: () => Promise<Started>): Pages<Started>;
export function withPages(start: () => Promise<Service> = startConsole): Pages<Service> {
  const service = {} as Service;
  const make = {} as Make;
  const logged: string[] = [];
  const takeErrors = () => logged.splice(0);
  let close = () => {};
  beforeAll(async () => {
    if (!shared.has(start)) shared.set(start, start());
    Object.assign(service, await shared.get(start));
    Object.assign(make, makerOn(service.db));
    await loadApp();
  });
  // What a page logs as an error is a defect, even if nobody sees it.
  beforeEach(() => {
    vi.spyOn(console, "error").mockImplementation((...parts) => void logged.push(parts.map(String).join(" ")));
  });
  afterEach(() => {
    close();
    vi.restoreAllMocks();
    expect(takeErrors()).toEqual([]);
  });
  return {
    service,
    make,
    takeErrors,
    async open(path, cookie) {
      close();
      const jar: CookieJar = { cookie };
      close = await showPage(service.url, path, jar);
      return pageOf(userEvent.setup({ pointerEventsCheck: 0 }), jar);
    },
  };
}

const nodeFetch = globalThis.fetch;

type CookieJar = { cookie: string | undefined };

/** Requests of the page as a browser would send them. Nothing but the cookie of the session is kept. */
function fetchFrom(url: string, jar: CookieJar): typeof fetch {
  return async (input, init = {}) => {
    // The console asks for paths; what has a whole address is a request of the test itself.
    if (URL.canParse(String(input))) return nodeFetch(input, init);
    const response = await nodeFetch(new URL(String(input), url), {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        origin: url,
        ...(jar.cookie === undefined ? {} : { cookie: jar.cookie }),
      },
    });
    if (response.headers.get("content-type")?.startsWith("application/json")) {
      const { method = "GET" } = init;
      checkPageResponse(method, String(input), { status: response.status, text: await response.clone().text() });
    }
    for (const given of response.headers.getSetCookie()) {
      const [pair = ""] = given.split(";");
      jar.cookie = pair.endsWith("=") ? undefined : pair;
    }
    return response;
  };
}

const loadApp = () =>
  Promise.all([import("../src/app.tsx"), import("../src/api/query-client.ts"), import("../src/ui/toast-queue.ts")]);

async function showPage(url: string, path: string, jar: CookieJar): Promise<() => void> {
  globalThis.fetch = fetchFrom(url, jar);
  window.history.replaceState(null, "", path);
  const [{ showApp }, { queryClient }, toasts] = await loadApp();
  // On a busy machine, messages would be gone before a test presses what they offer.
  const stopKeeping = toasts.subscribeToToasts(() => {
    for (const toast of toasts.toastsNow()) toast.durationMs = 600_000;
  });
  const element = document.createElement("div");
  document.body.append(element);
  // Once, as in production.
  const remove = showApp(element, { strict: false });
  return () => {
    remove();
    queryClient.clear();
    stopKeeping();
    for (const { id } of toasts.toastsNow()) toasts.dismissToast(id);
    document.body.replaceChildren();
    localStorage.clear();
    globalThis.fetch = nodeFetch;
  };
}

function pageOf(user: UserEvent, jar: CookieJar): Page {
  const queries = within(document.body);
  const press = async (name: string | RegExp) => {
    const button = await waitFor(() => {
      const found = queries.getByRole("button", { name });
      expect(found).toHaveProperty("disabled", false);
      return found;
    });
    await user.click(button);
  };
  const enter = async (field: HTMLElement, text: string) => {
    await user.click(field);
    await user.paste(text);
  };
  return {
    ...queries,
    user,
    dialog: async (name?: string | RegExp) =>
      within(await queries.findByRole("dialog", name === undefined ? {} : { name })),
    press,
    enter,
    async fill(field, text) {
      await user.clear(field);
      await enter(field, text);
    },
    async fillTime(label, local) {
      const [date = "", time = ""] = local.split("T");
      await this.fill(await queries.findByLabelText(`${label}: date`), date);
      await this.fill(queries.getByLabelText(`${label}: time`), time);
    },
    async choose(button: string | RegExp, item: string | RegExp) {
      await press(button);
      const items = () =>
        (["menuitem", "menuitemradio"] as const).flatMap((role) => queries.queryAllByRole(role, { name: item }));
      const [found] = await waitFor(() => (items().length === 0 ? Promise.reject(new Error(`no ${item}`)) : items()));
      if (found !== undefined) await user.click(found);
    },
    async undo() {
      const undone = () => queries.queryAllByText("Undone").length;
      const before = undone();
      await user.click((await queries.findAllByRole("button", { name: "Undo" })).at(-1) as HTMLElement);
      await waitFor(() => expect(undone()).toBeGreaterThan(before));
    },
    path: () => window.location.pathname + window.location.search,
    cookie: () => jar.cookie,
  };
}
