import { afterEach, expect, it } from "vitest";
import type { CreatedInvitation } from "../../src/modules/users/invitation-store.js";
import { createMailer, invitationMail, resetMail } from "../../src/sign-in/mail.js";
import { createMemoryLog } from "../support/memory-log.js";
import { type MailServer, type MailServerOptions, startMailServer } from "./mail-server.js";

const servers: MailServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function mailerTo(options: MailServerOptions = {}) {
  const server = await startMailServer({ login: { user: "user", password: "hunter2hunter2" }, ...options });
  servers.push(server);
  const { log, text } = createMemoryLog();
  const smtpUrl = `smtp://user:hunter2hunter2@127.0.0.1:${server.port}?requireTLS=false`;
  return { ...createMailer({ smtpUrl, from: "Events <events@example.com>" }, log), text, ...server };
}

const mail = { to: "ines@example.com", subject: "Hello", text: "A line\n" };

it("sends one message to one person", async () => {
  const { send, messages } = await mailerTo();
  expect(await send(mail)).toBe(true);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatch(/^From: Events <events@example\.com>\r\nTo: ines@example\.com\r\nSubject: Hello\r\n/);
});

it("reports that nothing was sent, without the password of the mail server in the log", async () => {
  const { send, close, text } = await mailerTo();
  close();
  expect(await send(mail)).toBe(false);
  expect(text()).toContain("a mail was not sent");
  expect(text()).not.toContain("hunter2");
  expect(await createMailer(null, createMemoryLog().log).send(mail)).toBe(false);
});

it("drops mails when too many wait", async () => {
  const { send, text } = await mailerTo({ silent: true });
  const waiting = Array.from({ length: 103 }, () => send(mail));
  await new Promise((resolve) => setImmediate(resolve));
  expect(await send(mail)).toBe(false);
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
