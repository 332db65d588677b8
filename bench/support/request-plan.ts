/**
 * A request of the load generator, as text. `{name}` stands for a value of the variant in turn, `{n}` for a counter of nine
 * digits, `{uuid}` for a new id and `{host}` for the server; in a body, `{#name}` is a number. All variants of a value have
 * one length, because Content-Length is computed once.
 */
export type RequestPlan = {
  text: string;
  status: number;
  /** What every body must contain: a tool call that fails has the status 200 too. */
  contains?: string;
  variants: Record<string, string>[];
  /** The variants of which each connection has its own, which it sends in order; without it, all share all variants. */
  variantsPerConnection?: number;
  /** The part of all requests. */
  share: number;
};

export type LoadPlan = { port: number; connections: number; requests: RequestPlan[] };

export type RequestOptions = {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  status?: number;
  contains?: string;
  variants?: Record<string, string>[];
  variantsPerConnection?: number;
  share?: number;
};

export function planRequest(options: RequestOptions): RequestPlan {
  const { method = "GET", path, headers = {}, body, status = 200, variants = [{}], share = 1 } = options;
  const content = body === undefined ? "" : JSON.stringify(body).replaceAll(/"\{#(\w+)\}"/g, "{$1}");
  const lengths = new Set(variants.map((variant) => Buffer.byteLength(fill(content, variant, 0))));
  if (lengths.size > 1) throw new Error(`${method} ${path}: the bodies of the variants differ in length`);
  const sent = {
    host: "{host}",
    ...headers,
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": String([...lengths][0]) }),
  };
  const head = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  return {
    text: `${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${content}`,
    status,
    variants,
    share,
    ...(options.contains === undefined ? {} : { contains: options.contains }),
    ...(options.variantsPerConnection === undefined ? {} : { variantsPerConnection: options.variantsPerConnection }),
  };
}

/** Whether every request differs from the others, so that it cannot be prepared. */
export function isDynamic(text: string): boolean {
  return text.includes("{n}") || text.includes("{uuid}");
}

export function fill(text: string, variant: Record<string, string>, n: number): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    if (name === "n") return String(100_000_000 + (n % 900_000_000));
    if (name === "uuid") return crypto.randomUUID();
    return variant[name] ?? placeholder;
  });
}
