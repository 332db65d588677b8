/** The host of the view: JSON-RPC 2.0 over postMessage, as MCP Apps (SEP-1865) defines it. */

type Params = Record<string, unknown>;

type Message = { jsonrpc: "2.0"; id?: string | number; method?: string; params?: Params } & {
  result?: Params;
  error?: { code: number; message: string };
};

export type Host = {
  request(method: string, params: Params): Promise<Params>;
  notify(method: string, params?: Params): void;
};

/** The host may ask a person before it passes a request on. */
const timeoutMs = 180_000;

const methodNotFound = -32601;

/** Requests of the host that need no work are answered here; `onNotification` gets everything that it tells. */
export function connectHost(onNotification: (method: string, params: Params) => void): Host {
  const pending = new Map<number, (response: Pick<Message, "result" | "error">) => void>();
  let lastId = 0;
  // A sandboxed view does not know the origin of its host; only the host's window gets the message.
  const send = (message: Omit<Message, "jsonrpc">) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

  window.addEventListener("message", ({ source, data }: MessageEvent<Message | undefined>) => {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return;
    const { id, method, params = {} } = data;
    if (method === undefined) pending.get(Number(id))?.(data);
    else if (id === undefined) onNotification(method, params);
    else if (method === "ping" || method === "ui/resource-teardown") send({ id, result: {} });
    else send({ id, error: { code: methodNotFound, message: `Method not found: ${method}` } });
  });

  return {
    request(method, params) {
      const id = ++lastId;
      return new Promise<Params>((resolve, reject) => {
        const timer = setTimeout(
          () => respond({ error: { code: 0, message: "The host did not respond." } }),
          timeoutMs,
        );
        const respond = ({ result = {}, error }: Pick<Message, "result" | "error">) => {
          clearTimeout(timer);
          pending.delete(id);
          if (error === undefined) resolve(result);
          else reject(new Error(error.message));
        };
        pending.set(id, respond);
        send({ id, method, params });
      });
    },
    notify: (method, params = {}) => send({ method, params }),
  };
}
