import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

// A host of MCP Apps (SEP-1865) for tests, without the window that shows the view.

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape.
type Json = any;

export type RpcMessage = { jsonrpc: "2.0"; id?: number; method?: string; params?: Json; result?: Json; error?: Json };

const viewCapabilities = {
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

export type HostOptions = {
  capabilities?: Json;
  context?: Json;
  /** What the tool returned earlier, for a conversation that is shown again. */
  result?: Json;
  isCancelled?: true;
  /** Answers a call of the view instead of the server. */
  callTool?: (params: Json, pass: () => Promise<Json>) => Promise<Json>;
};

export type Hosted = {
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

/** Shows a page, which sends its messages to `onMessage`. */
type OpenView<View> = (html: string, onMessage: (message: RpcMessage) => void) => Promise<View>;

/** Calls the tool and shows its card with the result, as a host does. */
export async function hostCard<View extends { send(message: RpcMessage): Promise<void> }>(
  client: Client,
  tool: { name: string; arguments: Json },
  { capabilities = allCapabilities, context = {}, result: earlier, isCancelled, callTool }: HostOptions,
  openView: OpenView<View>,
): Promise<View & Hosted> {
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
  const view = await openView(html, (message) => {
    heard.push(message);
    const { id, method = "", params } = message;
    if (id !== undefined && method !== "") {
      respond(method, params).then(
        (value) => view.send({ jsonrpc: "2.0", id, result: value }),
        (error) => view.send({ jsonrpc: "2.0", id, error: { code: -32000, message: String(error.message) } }),
      );
    } else if (method === "ui/notifications/initialized") {
      void tell("ui/notifications/tool-input", { arguments: tool.arguments });
      void (isCancelled ? tell("ui/notifications/tool-cancelled", {}) : tell("ui/notifications/tool-result", result));
    }
  });
  const tell = (method: string, params: Json) => view.send({ jsonrpc: "2.0", method, params });
  const callsOf = (method: string) => heard.filter((each) => each.method === method).map(({ params }) => params);
  // A spread would read the getters of a view once.
  return Object.assign(view, { heard, callsOf, tell });
}

export async function readView(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return (contents[0] as { text: string }).text;
}
