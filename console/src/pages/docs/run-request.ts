import { addressOf, type Endpoint, type Inputs, isPublic } from "./openapi.ts";

export type RunResult =
  | { failure: string }
  | {
      status: number;
      milliseconds: number;
      remaining: string | null;
      text: string;
      language: "json" | "text";
      imageUrl?: string;
    };

const timeoutMs = 30_000;
/** What is shown of a response; the rest would only slow the page down. */
const maximumText = 100_000;

let keyInMemory = "";
let lastImageUrl: string | undefined;

export const rememberedKey = (): string => keyInMemory;

export function rememberKey(key: string): void {
  keyInMemory = key;
}

/** Sends a request with the reader's key, without the cookies of a signed-in person. */
export async function runRequest(
  endpoint: Endpoint,
  inputs: Inputs,
  key: string,
  signal: AbortSignal,
): Promise<RunResult> {
  const missing = (endpoint.parameters ?? []).find(({ name, required }) => required && !inputs.parameters[name]);
  if (missing !== undefined) return { failure: `${missing.name}: expected a value` };
  const hasBody = endpoint.requestBody !== undefined;
  if (hasBody && !isJson(inputs.body)) return { failure: "Body: expected JSON" };
  const started = performance.now();
  try {
    const response = await fetch(addressOf(endpoint, inputs), {
      method: endpoint.method,
      headers: headersOf(endpoint, inputs, key),
      body: hasBody ? inputs.body : null,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const shown = await readBody(response);
    return {
      ...shown,
      status: response.status,
      milliseconds: Math.round(performance.now() - started),
      remaining: response.headers.get("x-ratelimit-remaining"),
    };
  } catch {
    return { failure: "No response. Check the values and your connection, and try again." };
  }
}

function headersOf(endpoint: Endpoint, { parameters }: Inputs, key: string): Record<string, string> {
  const named = (endpoint.parameters ?? []).flatMap(({ name, in: place }) => {
    const value = parameters[name] ?? "";
    return place === "header" && value !== "" ? [[name, value]] : [];
  });
  return {
    accept: "application/json, image/*",
    ...(isPublic(endpoint) ? {} : { authorization: `Bearer ${key.trim()}` }),
    ...(endpoint.requestBody === undefined ? {} : { "content-type": "application/json" }),
    ...Object.fromEntries(named),
  };
}

async function readBody(response: Response): Promise<{ text: string; language: "json" | "text"; imageUrl?: string }> {
  if (response.headers.get("content-type")?.startsWith("image/") === true) {
    if (lastImageUrl !== undefined) URL.revokeObjectURL(lastImageUrl);
    lastImageUrl = URL.createObjectURL(await response.blob());
    return { text: "", language: "text", imageUrl: lastImageUrl };
  }
  const text = await response.text();
  if (!isJson(text)) return { text: text.slice(0, maximumText), language: "text" };
  const pretty = JSON.stringify(JSON.parse(text), null, 2);
  const cut = pretty.length > maximumText;
  return { text: cut ? `${pretty.slice(0, maximumText)}\n… shortened` : pretty, language: "json" };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
