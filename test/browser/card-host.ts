import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { FrameLocator, Page } from "playwright-core";
import { expectAccessible, type Visitor } from "./support.js";

// A host of MCP Apps (SEP-1865) for tests: its page shows the view in a sandboxed frame of another origin, as the
// specification demands; what it says and hears passes through this process, which is the MCP client.

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape.
type Json = any;

export type RpcMessage = { jsonrpc: "2.0"; id?: number; method?: string; params?: Json; result?: Json; error?: Json };

export const viewCapabilities = {
  extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } },
};

export async function connectClient(url: string, key: string): Promise<Client> {
  const client = new Client(
    { name: "test-host", version: "1" },
    { capabilities: viewCapabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/api/mcp", url), { requestInit }));
  return client;
}

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
  await page.exposeFunction("fromView", (message: RpcMessage) => onMessage(message));
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

export type HostOptions = {
  capabilities?: Json;
  context?: Json;
  /** What the tool returned earlier, for a conversation that is shown again. */
  result?: Json;
  isCancelled?: true;
  /** Answers a call of the view instead of the server. */
  callTool?: (params: Json, pass: () => Promise<Json>) => Promise<Json>;
};

export type CardHost = ViewWindow & {
  /** Every message of the view, in order. */
  heard: RpcMessage[];
  callsOf(method: string): Json[];
  tell(method: string, params: Json): Promise<void>;
};

export const allCapabilities = {
  serverTools: {},
  updateModelContext: { text: {}, structuredContent: {} },
  message: {},
};

/** Calls the tool and shows its card with the result, as a host does. */
export async function showCard(
  visitor: Visitor,
  client: Client,
  tool: { name: string; arguments: Json },
  { capabilities = allCapabilities, context = {}, result: earlier, isCancelled, callTool }: HostOptions = {},
): Promise<CardHost> {
  const { tools } = await client.listTools();
  const uri = (tools.find(({ name }) => name === tool.name)?._meta as Json)?.ui.resourceUri;
  const [html, result] = await Promise.all([readView(client, uri), earlier ?? client.callTool(tool)]);
  const heard: RpcMessage[] = [];
  const respond = async (method: string, params: Json): Promise<Json> => {
    if (method === "ui/initialize") {
      const hostInfo = { name: "test-host", version: "1" };
      return { protocolVersion: "2026-01-26", hostInfo, hostCapabilities: capabilities, hostContext: context };
    }
    if (method === "tools/call") {
      const pass = () => client.callTool(params) as Promise<Json>;
      return callTool === undefined ? pass() : callTool(params, pass);
    }
    if (method === "ui/update-model-context" || method === "ui/message") return {};
    throw new Error(`the host does not know ${method}`);
  };
  const opened = await openView(visitor, html, (message) => {
    heard.push(message);
    const { id, method = "", params } = message;
    if (id !== undefined) {
      respond(method, params).then(
        (value) => opened.send({ jsonrpc: "2.0", id, result: value }),
        (error) => opened.send({ jsonrpc: "2.0", id, error: { code: -32000, message: String(error.message) } }),
      );
    } else if (method === "ui/notifications/initialized") {
      void tell("ui/notifications/tool-input", { arguments: tool.arguments });
      void (isCancelled ? tell("ui/notifications/tool-cancelled", {}) : tell("ui/notifications/tool-result", result));
    } else if (method === "ui/notifications/size-changed") void setHeight(visitor.page, params.height);
  });
  const tell = (method: string, params: Json) => opened.send({ jsonrpc: "2.0", method, params });
  const callsOf = (method: string) => heard.filter((each) => each.method === method).map(({ params }) => params);
  // The getter of `requests` would be read once by a spread.
  return Object.assign(opened, { heard, callsOf, tell });
}

export async function readView(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { text: string }).text;
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
