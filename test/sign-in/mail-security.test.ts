import { afterEach, describe, expect, it } from "vitest";
import { createMailer } from "../../src/sign-in/mail.js";
import { createMemoryLog } from "../support/memory-log.js";
import { type MailServer, type MailServerOptions, startMailServer } from "./mail-server.js";

const mail = { to: "ines@example.com", subject: "Hello", text: "A line\n" };
const login = { user: "events@example.com", password: "p@ss/word: 1" };
const credentials = `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@`;
/** Where a private authority has signed the certificate, NODE_EXTRA_CA_CERTS names it; a test cannot set that for itself. */
const trusting = "?tls.rejectUnauthorized=false";

const servers: MailServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function sendTo(options: MailServerOptions, url: (port: number) => string) {
  const server = await startMailServer(options);
  servers.push(server);
  const { log, text } = createMemoryLog();
  const config = { smtpUrl: url(server.port), from: "Events <events@example.com>" };
  const mailer = createMailer(config, log, options.silent ? { greetingTimeout: 200 } : {});
  return { sent: await mailer.send(mail), logged: text(), ...server };
}

const secretsIn = ({ commands }: Pick<MailServer, "commands">) =>
  commands.filter(({ line, encrypted }) => !encrypted && /^(AUTH|MAIL|RCPT)/.test(line));

describe("STARTTLS", () => {
  it("encrypts credentials and message, and signs in with a password of any characters", async () => {
    const reply = await sendTo(
      { startTls: true, login },
      (port) => `smtp://${credentials}localhost:${port}${trusting}`,
    );
    expect(reply).toMatchObject({ sent: true, logged: "" });
    expect(reply.messages).toHaveLength(1);
    expect(secretsIn(reply)).toEqual([]);
  });

  it("is refused with a certificate that nobody vouches for", async () => {
    const reply = await sendTo({ startTls: true, login }, (port) => `smtp://${credentials}localhost:${port}`);
    expect(reply.sent).toBe(false);
    expect(reply.logged).toContain("self-signed certificate");
    expect(secretsIn(reply)).toEqual([]);
  });

  it("is used without credentials where the server offers it", async () => {
    const reply = await sendTo({ startTls: true }, (port) => `smtp://localhost:${port}${trusting}`);
    expect(reply.sent).toBe(true);
    expect(secretsIn(reply)).toEqual([]);
  });

  it("is required with credentials: somebody between could hide the offer", async () => {
    const reply = await sendTo({ login }, (port) => `smtp://${credentials}localhost:${port}`);
    expect(reply.sent).toBe(false);
    expect(secretsIn(reply)).toEqual([]);
  });

  it("is not required where the address says so", async () => {
    const reply = await sendTo({ login }, (port) => `smtp://${credentials}localhost:${port}?requireTLS=false`);
    expect(reply.sent).toBe(true);
  });
});

describe("a mail is not sent, and the log says why without the password,", () => {
  it.each<[string, MailServerOptions, string, RegExp]>([
    [
      "with a wrong password",
      { startTls: true, login: { ...login, password: "other" } },
      trusting,
      /535 wrong password/,
    ],
    ["to a recipient that is refused", { startTls: true, login, recipientReply: "550 nobody" }, trusting, /550 nobody/],
  ])("%s", async (_, options, query, reason) => {
    const reply = await sendTo(options, (port) => `smtp://${credentials}localhost:${port}${query}`);
    expect(reply.sent).toBe(false);
    expect(reply.logged).toMatch(reason);
    for (const secret of [login.password, encodeURIComponent(login.password)])
      expect(reply.logged).not.toContain(secret);
    expect(reply.messages).toEqual([]);
  });

  it("to a server that never answers", async () => {
    const reply = await sendTo({ silent: true }, (port) => `smtp://127.0.0.1:${port}`);
    expect(reply.sent).toBe(false);
    expect(reply.logged).toContain("a mail was not sent");
  });
});

it("nothing in a mail becomes a header or a command", async () => {
  const server = await startMailServer();
  servers.push(server);
  const smtpUrl = `smtp://127.0.0.1:${server.port}`;
  const mailer = createMailer({ smtpUrl, from: "Events <events@example.com>" }, createMemoryLog().log);
  const attack = "x\r\nBcc: eve@example.com\r\n.\r\nMAIL FROM:<eve@example.com>";
  await mailer.send({ to: `ines@example.com>\r\nRCPT TO:<eve@example.com`, subject: attack, text: attack });
  await mailer.send({ to: "ines@example.com, eve@example.com", subject: attack, text: attack });
  await mailer.send({ to: "ines@example.com", subject: attack, text: attack });
  expect(server.messages).not.toEqual([]);
  for (const message of server.messages) {
    const [head = ""] = message.split("\r\n\r\n");
    expect(head).not.toMatch(/^bcc:/im);
  }
  const recipients = server.commands.filter(({ line }) => line.startsWith("RCPT"));
  expect(recipients.filter(({ line }) => /^RCPT TO:<eve@/.test(line))).toEqual([]);
  expect(server.commands.filter(({ line }) => line.startsWith("MAIL")).map(({ line }) => line.split(" ")[1])).toEqual(
    server.messages.map(() => "FROM:<events@example.com>"),
  );
});
