import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { CreatedInvitation } from "../../src/modules/users/invitation-store.js";
import { createMailer, invitationMail, resetMail } from "../../src/sign-in/mail.js";
import { createMemoryLog } from "../support/memory-log.js";

/** A mail server that keeps what it gets, or refuses it. */
async function startMailServer({ refuses = false } = {}) {
  const received: string[] = [];
  const server: Server = createServer((socket: Socket) => {
    let data: string | undefined;
    socket.write("220 test\r\n");
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      const text = String(chunk);
      if (data !== undefined) {
        data += text;
        if (!data.includes("\r\n.\r\n")) return;
        received.push(data);
        data = undefined;
        return void socket.write("250 queued\r\n");
      }
      if (text.startsWith("DATA")) {
        data = "";
        return void socket.write("354 go on\r\n");
      }
      socket.write(refuses && text.startsWith("RCPT") ? "550 no\r\n" : "250 ok\r\n");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  servers.push(server);
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const mail = { to: "ines@example.com", subject: "Hello", text: "A line\n" };

it("sends one message to one person", async () => {
  const { url, received } = await startMailServer();
  const mailer = createMailer({ smtpUrl: url, from: "Events <events@example.com>" }, createMemoryLog().log);
  expect(await mailer.send(mail)).toBe(true);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatch(/^From: Events <events@example\.com>\r\nTo: ines@example\.com\r\nSubject: Hello\r\n/);
});

it("reports that nothing was sent, without the password of the mail server in the log", async () => {
  const { url } = await startMailServer({ refuses: true });
  const { log, text } = createMemoryLog();
  const from = "events@example.com";
  expect(await createMailer({ smtpUrl: url, from }, log).send(mail)).toBe(false);
  const unreachable = { smtpUrl: "smtp://user:hunter2hunter2@127.0.0.1:1", from };
  expect(await createMailer(unreachable, log).send(mail)).toBe(false);
  expect(text()).toContain("a mail was not sent");
  expect(text()).not.toContain("hunter2");
  expect(await createMailer(null, log).send(mail)).toBe(false);
});

it("drops mails when too many wait", async () => {
  const silent = createServer(() => {});
  await once(silent.listen(0, "127.0.0.1"), "listening");
  servers.push(silent);
  const { log, text } = createMemoryLog();
  const smtpUrl = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const mailer = createMailer({ smtpUrl, from: "events@example.com" }, log);
  const waiting = Array.from({ length: 103 }, () => mailer.send(mail));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await mailer.send(mail)).toBe(false);
  expect(text()).toContain("too many are waiting");
  for (const promise of waiting) promise.catch(() => {});
});

it("cannot be extended with lines by names", () => {
  const invitation = {
    email: "ines@example.com",
    role: "owner",
    invited_by: "Eve\r\nBcc: all@example.com",
    expires_at: "2031-05-01",
    link: "https://svc.test/invite/x",
  } as CreatedInvitation;
  const { subject, text } = invitationMail(invitation, "Evil\r\nBcc: all@example.com");
  expect(subject).toBe("Invitation to Evil Bcc: all@example.com on the event platform");
  expect(text).toContain(
    "Eve Bcc: all@example.com invites you to Evil Bcc: all@example.com on the event platform, as owner.",
  );
  expect(resetMail("a@example.com", "https://svc.test/reset/x").text).toContain("https://svc.test/reset/x\n");
});
