import { isDeepStrictEqual } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** A result as structured content: what it has depends on the tool. */
// biome-ignore lint/suspicious/noExplicitAny: an agent reads results of every shape.
export type Result = Record<string, any>;

export type Arguments = Record<string, unknown>;

/** One response as it was received. `text` and `images` are parts of `received`; images are base64. */
export type Received = { call: string; isToolCall: boolean; received: number; text: number; images: number };

export type Change = { preview: Result; committed: Result | undefined };

export type AgentClient = {
  /** The sizes of all responses so far, in order. */
  traffic: Received[];
  /** Calls a tool; throws a ToolRefusal when the tool refuses. */
  call(name: string, args?: Arguments): Promise<Result>;
  /** Previews a change, shows the preview, and commits exactly that, unless there is nothing to change. */
  change(name: string, args: Arguments, reason: string): Promise<Change>;
  /** Calls a tool that is expected to refuse, and returns its error. */
  refusal(name: string, args: Arguments): Promise<{ code: string; message: string }>;
  close(): Promise<void>;
};

export type ClientOptions = {
  /** The base URL of the service. */
  service: string;
  key: string;
  /** Whether to ask for the list of tools, as an agent does before its first call. */
  listsTools?: boolean;
  /** Only these tools and groups, by name; all by default. */
  tools?: string[];
  showPreview?: (name: string, preview: Result) => void;
};

/** Connects to the MCP endpoint with the official client, and measures what it receives. */
export async function connectAgent(options: ClientOptions): Promise<AgentClient> {
  const { service, key, listsTools = true, tools = [], showPreview = () => {} } = options;
  const traffic: Received[] = [];
  const client = new Client({ name: "example-agent", version: "1.0.0" });
  const url = new URL("/api/mcp", service);
  if (tools.length > 0) url.searchParams.set("tools", tools.join(","));
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: measuredFetch(traffic),
  });
  await client.connect(transport);
  if (listsTools) await client.listTools();

  const send = async (name: string, args: Arguments) => {
    const result = await client.callTool({ name, arguments: args });
    return { isError: result.isError === true, content: result.structuredContent as Result };
  };
  const call = async (name: string, args: Arguments = {}) => {
    const { isError, content } = await send(name, args);
    if (isError) throw new Error(`${name}: ${content.error.code}: ${content.error.message}`);
    return content;
  };
  return {
    traffic,
    call,
    async change(name, args, reason) {
      const preview = await call(name, args);
      showPreview(name, preview);
      if (isDeepStrictEqual(preview.current, preview.proposed)) return { preview, committed: undefined };
      const committed = await call(name, { ...preview.commit_with, reason });
      return { preview, committed };
    },
    async refusal(name, args) {
      const { isError, content } = await send(name, args);
      if (!isError) throw new Error(`${name} was expected to refuse ${JSON.stringify(args)}`);
      return content.error;
    },
    close: () => client.close(),
  };
}

/** A fetch that notes the size of each response, and waits as a 429 asks. */
function measuredFetch(traffic: Received[]): typeof fetch {
  return async (input, init) => {
    for (;;) {
      const response = await fetch(input, init);
      const body = await response.text();
      if (response.status === 429) {
        const seconds = Number(response.headers.get("retry-after") ?? "1");
        process.stderr.write(`Rate limit reached: waiting for ${seconds} s.\n`);
        await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
        continue;
      }
      if (body !== "") traffic.push(measure(String(init?.body ?? "{}"), body));
      // Fetch has decoded the body already.
      const headers = new Headers(response.headers);
      headers.delete("content-encoding");
      headers.delete("content-length");
      return new Response(body === "" ? null : body, { status: response.status, headers });
    }
  };
}

type Content = { type: string; text?: string; data?: string };
type ListedTool = { name: string; description?: string; inputSchema?: object };

function measure(request: string, response: string): Received {
  const { method, params } = JSON.parse(request) as { method?: string; params?: { name?: string } };
  const { result } = JSON.parse(response) as { result?: { content?: Content[]; tools?: ListedTool[] } };
  const content = result?.content;
  const isToolCall = method === "tools/call";
  const received = Buffer.byteLength(response);
  // The client also asks for a stream of events, which the service does not have: no model reads the refusal.
  if (method === undefined) return { call: "GET", isToolCall, received, text: 0, images: 0 };
  return {
    call: isToolCall ? (params?.name ?? "") : method,
    isToolCall,
    received,
    // What is neither the result of a tool nor the list of tools has one form only.
    text: content === undefined ? readBytes(result?.tools, received) : sum(content.map(textBytes)),
    images: sum((content ?? []).map(({ data = "" }) => data.length)),
  };
}

const textBytes = ({ text = "" }: Content) => Buffer.byteLength(text);

/** What a model reads of the list of tools. */
function readBytes(tools: ListedTool[] | undefined, received: number): number {
  if (tools === undefined) return received;
  const read = tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema }));
  return sum(read.map((text) => Buffer.byteLength(text)));
}

export type Figures = { calls: number; received: number; text: number; images: number };

/** The calls of tools, and the sizes of all responses, with those that open a connection. */
export function figuresOf(traffic: Received[]): Figures {
  return {
    calls: traffic.filter(({ isToolCall }) => isToolCall).length,
    received: sum(traffic.map(({ received }) => received)),
    text: sum(traffic.map(({ text }) => text)),
    images: sum(traffic.map(({ images }) => images)),
  };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
