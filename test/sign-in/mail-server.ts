import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { selfSigned } from "../support/self-signed.js";

export type MailServer = {
  port: number;
  /** The messages, as they were sent. */
  messages: string[];
  /** All other lines that it was sent, each with whether they were encrypted. */
  commands: { line: string; encrypted: boolean }[];
  close(): void;
};

export type MailServerOptions = {
  /** Offers STARTTLS, with a self-signed certificate. */
  startTls?: boolean;
  /** Offers AUTH PLAIN, and accepts this user and password only. */
  login?: { user: string; password: string };
  /** Answers with this to every recipient. */
  recipientReply?: string;
  /** Accepts connections and says nothing. */
  silent?: boolean;
};

/** A mail server that keeps what it gets. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { messages, commands }: Pick<MailServer, "messages" | "commands"> = { messages: [], commands: [] };
  const certificate = options.startTls ? selfSigned(["localhost"]) : undefined;
  const sockets = new Set<Socket>();

  function serve(socket: Socket, encrypted: boolean): void {
    let rest = "";
    let isMessage = false;
    const receive = (chunk: Buffer) => {
      rest += chunk.toString();
      for (;;) {
        const end = rest.indexOf(isMessage ? "\r\n.\r\n" : "\r\n");
        if (end === -1) return;
        const text = rest.slice(0, end);
        rest = rest.slice(end + (isMessage ? 5 : 2));
        if (isMessage) messages.push(text);
        else commands.push({ line: text, encrypted });
        const verb = isMessage ? "" : text.split(" ")[0];
        isMessage = verb === "DATA";
        if (verb === "STARTTLS" && certificate !== undefined) {
          socket.off("data", receive);
          socket.write("220 go on\r\n");
          const secured = new TLSSocket(socket, { isServer: true, ...certificate });
          secured.on("error", () => {});
          return serve(secured, true);
        }
        socket.write(`${replyTo(verb ?? "", text, encrypted)}\r\n`);
      }
    };
    socket.on("data", receive);
  }

  function replyTo(verb: string, line: string, encrypted: boolean): string {
    if (verb === "EHLO") {
      const offers = [
        ...(options.startTls && !encrypted ? ["STARTTLS"] : []),
        ...(options.login ? ["AUTH PLAIN"] : []),
      ];
      return ["test", ...offers, "8BITMIME"]
        .map((word, i) => `250${i <= offers.length ? "-" : " "}${word}`)
        .join("\r\n");
    }
    if (verb === "AUTH") {
      const { user, password } = options.login ?? { user: "", password: "" };
      const expected = Buffer.from(`\0${user}\0${password}`).toString("base64");
      return line === `AUTH PLAIN ${expected}` ? "235 welcome" : "535 wrong password";
    }
    if (verb === "RCPT" && options.recipientReply !== undefined) return options.recipientReply;
    if (verb === "STARTTLS") return "502 not offered";
    return verb === "DATA" ? "354 go on" : verb === "QUIT" ? "221 bye" : "250 ok";
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    if (options.silent) return;
    socket.write("220 test\r\n");
    serve(socket, false);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    messages,
    commands,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
