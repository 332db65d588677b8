import { createRequire } from "node:module";
import type { Client } from "@modelcontextprotocol/client";
import { within } from "@testing-library/dom";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect } from "vitest";
import {
  connectClient,
  type Hosted,
  type HostOptions,
  hostCard,
  type RpcMessage,
} from "../../test/support/card-host.js";
import {
  addStaff,
  createEventFixture,
  type EventFixture,
  type StaffFixture,
} from "../../test/support/event-fixture.js";
import type { Pages, Queries } from "./pages.ts";

type ViewWindow = Window & typeof globalThis;
type VirtualConsole = { on(name: "error" | "jsdomError", listener: (...parts: unknown[]) => void): void };
const { JSDOM, VirtualConsole } = createRequire(import.meta.url)("jsdom") as {
  JSDOM: new (html: string, options?: object) => { window: ViewWindow };
  VirtualConsole: new () => VirtualConsole;
};

export type View = Queries & {
  document: Document;
  user: UserEvent;
  /** What a screen reader reads, in one line. */
  text(): string;
  /** Waits until the card says this. */
  says(text: string | RegExp): Promise<void>;
  reason(): HTMLTextAreaElement;
  /** Replaces the reason. */
  giveReason(text: string): Promise<void>;
  confirm(): Promise<void>;
  send(message: RpcMessage): Promise<void>;
  close(): void;
};

export type Card = View & Hosted;

export type Cards = {
  /** New for each test. */
  fixture: EventFixture & StaffFixture;
  /** Of the owner of the fixture's organization. */
  client(): Client;
  /** Calls a tool and shows its card, once it has a heading. */
  open(name: string, args: object | undefined, options?: HostOptions): Promise<Card>;
  openView(html: string, onMessage: (message: RpcMessage) => void): Promise<View>;
};

/** The page of the preview card as the endpoint serves it, with its script, in windows of their own. */
export function withCards({ service, make }: Pages): Cards {
  const fixture = {} as EventFixture & StaffFixture;
  const views: View[] = [];
  const errors: string[] = [];
  let client: Client;
  beforeEach(async () => {
    const event = await createEventFixture(service.db);
    Object.assign(fixture, event, await addStaff(service.db, event));
    const key = await make.organizationKey(event.organizationId, { userId: event.caller.userId });
    client = await connectClient(service.url, key);
  });
  afterEach(async () => {
    for (const view of views.splice(0)) view.close();
    await client.close();
    expect(errors.splice(0)).toEqual([]);
  });
  const openView: Cards["openView"] = async (html, onMessage) => {
    const view = showView(html, onMessage, (...parts) => errors.push(parts.map(String).join(" ")));
    views.push(view);
    return view;
  };
  return {
    fixture,
    client: () => client,
    openView,
    async open(name, args, options = {}) {
      const card = await hostCard(client, { name, arguments: args }, options, openView);
      await expect.poll(() => card.document.querySelector("h1")).not.toBeNull();
      return card;
    },
  };
}

/** Runs the page in a window whose parent hears it. Messages are copied and arrive later, as in a browser. */
function showView(
  html: string,
  onMessage: (message: RpcMessage) => void,
  onError: (...parts: unknown[]) => void,
): View {
  const { window: parent } = new JSDOM("");
  Object.assign(parent, {
    postMessage(message: RpcMessage) {
      const copy = JSON.parse(JSON.stringify(message)) as RpcMessage;
      setTimeout(() => onMessage(copy));
    },
  });
  const virtualConsole = new VirtualConsole();
  virtualConsole.on("error", onError);
  virtualConsole.on("jsdomError", onError);
  const beforeParse = (opened: ViewWindow) => {
    Object.defineProperty(opened, "parent", { value: parent });
    Object.assign(opened, {
      ResizeObserver: class {
        observe() {}
      },
    });
  };
  const options = { runScripts: "dangerously", pretendToBeVisual: true, url: "https://view.test/", virtualConsole };
  const { window } = new JSDOM(html, { ...options, beforeParse });
  return viewOf(window, async (message) => {
    const data = window.eval(`(${JSON.stringify(message)})`) as RpcMessage;
    window.dispatchEvent(new window.MessageEvent("message", { data, source: parent }));
  });
}

function viewOf(window: ViewWindow, send: View["send"]): View {
  const { document } = window;
  const user = userEvent.setup({ document });
  const queries = within(document.body);
  const text = () => textOf(document.querySelector("main") ?? document.body);
  const reason = () => queries.getByLabelText<HTMLTextAreaElement>("Reason");
  return {
    ...queries,
    document,
    user,
    text,
    reason,
    send,
    says: (expected) => expect.poll(text).toMatch(expected),
    async giveReason(given) {
      await user.clear(reason());
      await user.click(reason());
      await user.paste(given);
    },
    confirm: () => user.click(queries.getByRole("button", { name: "Confirm" })),
    close: () => window.close(),
  };
}

export function textOf(node: Node): string {
  const parts = [...node.childNodes].map((child) => (child.nodeType === 3 ? (child.textContent ?? "") : textOf(child)));
  return parts.join(" ").replaceAll(/\s+/g, " ").trim();
}
