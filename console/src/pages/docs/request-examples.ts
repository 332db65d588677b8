import { addressOf, type Endpoint, type Inputs, isPublic } from "./openapi.ts";

/** A request as the examples show it, in every language the same. */
export type ExampleRequest = {
  method: string;
  /** Path and query. */
  address: string;
  needsKey: boolean;
  headers: Record<string, string>;
  body?: unknown;
  /** Whether the response is JSON; otherwise it is bytes. */
  returnsJson: boolean;
};

export const exampleLanguages = {
  curl: { label: "curl", language: "sh", write: writeCurl },
  javascript: { label: "JavaScript", language: "ts", write: writeJavaScript },
  python: { label: "Python", language: "python", write: writePython },
} as const;

export type ExampleLanguage = keyof typeof exampleLanguages;

export function requestOf(endpoint: Endpoint, inputs: Inputs): ExampleRequest {
  const headers = (endpoint.parameters ?? [])
    .filter(({ name, in: place }) => place === "header" && (inputs.parameters[name] ?? "") !== "")
    .map(({ name }) => [name, inputs.parameters[name] ?? ""]);
  const content = endpoint.responses[200]?.content ?? { "application/json": {} };
  return {
    method: endpoint.method,
    address: addressOf(endpoint, inputs),
    needsKey: !isPublic(endpoint),
    headers: Object.fromEntries(headers),
    ...(inputs.body === "" ? {} : { body: JSON.parse(inputs.body) as unknown }),
    returnsJson: "application/json" in content,
  };
}

function writeCurl({ method, address, needsKey, headers, body, returnsJson }: ExampleRequest): string {
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const lines = [`curl${verb} "$SVC_URL${address}"`];
  if (needsKey) lines.push(`-H "Authorization: Bearer $SVC_KEY"`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${shellText(`${name}: ${value}`)}`);
  if (body !== undefined) lines.push(`-H "Content-Type: application/json"`, `-d ${shellText(pretty(body))}`);
  if (!returnsJson) lines.push("-o response");
  return lines.join(" \\\n  ");
}

function writeJavaScript({ method, address, needsKey, headers, body, returnsJson }: ExampleRequest): string {
  const fields = [
    ...(needsKey ? [`Authorization: \`Bearer \${process.env.SVC_KEY}\``] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`method: "${method}"`]),
    ...(fields.length === 0 ? [] : [`headers: {\n${indented(fields.map((field) => `${field},`).join("\n"))}\n}`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${pretty(body)})`]),
  ];
  const given = options.length === 0 ? "" : `, {\n${indented(options.map((option) => `${option},`).join("\n"))}\n}`;
  return [
    `const response = await fetch(\`\${process.env.SVC_URL}${address}\`${given});`,
    returnsJson
      ? "console.log(response.status, await response.json());"
      : 'console.log(response.status, (await response.arrayBuffer()).byteLength, "bytes");',
  ].join("\n");
}

function writePython({ method, address, needsKey, headers, body, returnsJson }: ExampleRequest): string {
  const fields = [
    ...(needsKey ? [`"Authorization": "Bearer " + os.environ["SVC_KEY"]`] : []),
    ...Object.entries(headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ];
  const options = [
    `os.environ["SVC_URL"] + ${JSON.stringify(address)}`,
    ...(method === "GET" ? [] : [`method="${method}"`]),
    ...(fields.length === 0 ? [] : [`headers={\n${indented(fields.map((field) => `${field},`).join("\n"), 4)}\n}`]),
    ...(body === undefined ? [] : [`data=json.dumps(${pythonText(body)}).encode()`]),
  ];
  const modules = ["os", "urllib.request", ...(returnsJson || body !== undefined ? ["json"] : [])].sort();
  return [
    `import ${modules.join(", ")}`,
    "",
    `request = urllib.request.Request(\n${indented(options.map((option) => `${option},`).join("\n"), 4)}\n)`,
    "with urllib.request.urlopen(request) as response:",
    `    print(response.status, ${returnsJson ? "json.load(response)" : 'len(response.read()), "bytes"'})`,
  ].join("\n");
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2);

const shellText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const indented = (text: string, spaces = 2) => text.replaceAll(/^/gm, " ".repeat(spaces));

/** JSON as a literal of Python: the names of three values differ, strings do not. */
function pythonText(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map(pythonText)
    : Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${pythonText(part)}`);
  const [open, close] = isList ? "[]" : "{}";
  return parts.length === 0 ? `${open}${close}` : `${open}\n${indented(parts.join(",\n"), 4)},\n${close}`;
}
