import { Agent, request } from "node:http";
import { connect } from "node:net";

export type RawReply = { status: number; headers: Record<string, string>; body: string };

/** Sends raw bytes to the service's port and reads the response to its end. */
export function sendBytes(url: string, bytes: string | Buffer): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let text = "";
    const finish = () => {
      socket.destroy();
      resolve(parse(text));
    };
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (isComplete(text)) finish();
    });
    socket.on("end", finish);
    socket.on("error", reject);
    socket.write(bytes);
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** A request with any method, including those that fetch rejects. */
export function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { method, headers, agent }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string>, body }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

function isComplete(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = /^content-length: (\d+)/im.exec(text)?.[1];
  return end !== -1 && length !== undefined && Buffer.byteLength(text.slice(end + 4)) >= Number(length);
}

function parse(text: string): RawReply {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.split(": ").slice(1).join(": "),
  ]);
  return { status: Number(first.split(" ")[1]), headers: Object.fromEntries(headers), body: rest.join("\r\n\r\n") };
}
