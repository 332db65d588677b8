import type { Client } from "@modelcontextprotocol/client";
import type { FrameLocator, Page } from "playwright-core";
import { type Hosted, type HostOptions, hostCard, type RpcMessage } from "../support/card-host.js";
import { expectAccessible, type Visitor } from "./support.js";

// The page of a host shows the view in a sandboxed frame of another origin, as the specification demands; what it says and
// hears passes through this process, which is the MCP client.

const addresses = { host: "https://host.test/", view: "https://view.test/" };

/** The policy that hosts apply to a view that declares no addresses. */
const restrictivePolicy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

const hostPage = `<!doctype html><html lang="en"><head><title>Host</title><style>
  body { margin: 0; background: #ddd } #conversation { padding: 20px } iframe { width: 100%; border: 0; display: block }
</style></head><body><div id="conversation"></div><script>
  addEventListener("message", ({ data, source }) => {
    if (source === document.querySelector("iframe")?.contentWindow) fromView(data);
  });
  const toView = (message) => document.querySelector("iframe").contentWindow.postMessage(message, "*");
  const setHeight = (height) => { document.querySelector("iframe").style.height = height + "px"; };
</script></body></html>`;

export type ViewWindow = {
  view: FrameLocator;
  /** What was requested from the network, besides the pages of host and view. */
  requests: string[];
  send(message: RpcMessage): Promise<void>;
};

export type CardHost = ViewWindow & Hosted;

/** Calls the tool and shows its card with the result. */
export function showCard(
  visitor: Visitor,
  client: Client,
  tool: { name: string; arguments: object },
  options: HostOptions = {},
): Promise<CardHost> {
  return hostCard(client, tool, options, (html, onMessage) => openView(visitor, html, onMessage));
}

/** Opens the host's page with the view in it. */
export async function openView(
  { page, context }: Visitor,
  html: string,
  onMessage: (message: RpcMessage) => void,
): Promise<ViewWindow> {
  const requests: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  const type = "text/html; charset=utf-8";
  await context.route(addresses.host, (route) => route.fulfill({ body: hostPage, contentType: type }));
  await context.route(addresses.view, (route) =>
    route.fulfill({ body: html, contentType: type, headers: { "content-security-policy": restrictivePolicy } }),
  );
  await page.exposeFunction("fromView", (message: RpcMessage) => {
    onMessage(message);
    if (message.method === "ui/notifications/size-changed") void setHeight(page, message.params.height);
  });
  await page.goto(addresses.host);
  await page.evaluate(`{
    const frame = document.createElement("iframe");
    frame.title = "Preview of a change";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = ${JSON.stringify(addresses.view)};
    document.querySelector("#conversation").append(frame);
  }`);
  return {
    view: page.frameLocator("iframe"),
    get requests() {
      return requests.filter((url) => !Object.values(addresses).includes(url) && !url.startsWith("data:"));
    },
    send: (message) => inPage(page, `toView(${JSON.stringify(message)})`),
  };
}

const setHeight = (page: Page, height: number) => inPage(page, `setHeight(${Number(height)})`);

/** A test may end while a message is on its way. */
async function inPage(page: Page, script: string): Promise<void> {
  try {
    await page.evaluate(script);
  } catch (error) {
    if (!page.isClosed()) throw error;
  }
}

/**
 * Checks the views too. The checker leaves a frame out that is slow to take its script; the page of the host has neither
 * heading nor landmark, so that this fails, and is tried again.
 */
export async function expectAccessibleCards(visitors: Visitor[]): Promise<void> {
  for (const { page } of visitors) {
    for (let attempt = 1; ; attempt++) {
      try {
        await expectAccessible(page);
        break;
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }
}
