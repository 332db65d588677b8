// Sends one response to every request: what Node itself costs, with the same bytes and headers as the service.
import { readConfiguration, serve } from "../support/process.js";

export type BareResponse = { status: number; headers: Record<string, string>; body: string };

const { status, headers, body } = await readConfiguration<BareResponse>();
const bytes = Buffer.from(body);

await serve((_request, response) => {
  response.writeHead(status, headers);
  if (bytes.length === 0) response.end();
  else response.end(bytes);
});
