import pLimit from "p-limit";
import { messageOf } from "../../contract/errors.js";
import { resetLinkHours } from "../../contract/nouns.js";
import { loadOnDemand } from "../infra/load-on-demand.js";
import type { Log } from "../infra/observability/log.js";
import { within } from "../infra/within.js";
import type { CreatedInvitation } from "../modules/users/invitation-store.js";

export type Mail = { to: string; subject: string; text: string };

/** Sends mail, or nothing where no server is configured. A failure is logged, never thrown. */
export type Mailer = {
  isConfigured: boolean;
  /** Whether the mail server took it. */
  send(mail: Mail): Promise<boolean>;
};

const concurrentMails = 3;
const waitingMails = 100;
const deadlineMs = 15_000;
const mailTimeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000, dnsTimeout: 5_000 };

type MailConfig = { smtpUrl: string; from: string };

export function createMailer(config: MailConfig | null, log: Log, timeouts: Partial<typeof mailTimeouts> = {}): Mailer {
  if (config === null) return { isConfigured: false, send: async () => false };
  const limit = pLimit(concurrentMails);
  const transport = createTransportTo(config, timeouts);

  async function deliver({ to, subject, text }: Mail): Promise<boolean> {
    try {
      // As an object: text is never read as a list of addresses.
      const sent = transport.sendMail({ from: config?.from, to: { name: "", address: to }, subject, text });
      await within(deadlineMs, sent, () => {
        throw new Error(`not accepted within ${deadlineMs / 1000} s`);
      });
      return true;
    } catch (error) {
      log.warn({ reason: messageOf(error).slice(0, 200) }, "a mail was not sent: see SMTP_URL and the mail server");
      return false;
    }
  }

  return {
    isConfigured: true,
    async send(mail) {
      if (limit.pendingCount >= waitingMails) {
        log.warn("a mail was not sent: too many are waiting for the mail server");
        return false;
      }
      return limit(() => deliver(mail));
    },
  };
}

/** Connects and signs in, without sending anything. Throws if that fails. */
export async function checkMailServer(config: MailConfig): Promise<void> {
  await createTransportTo(config).verify();
}

function createTransportTo({ smtpUrl }: MailConfig, timeouts: Partial<typeof mailTimeouts> = {}) {
  const { createTransport }: typeof import("nodemailer") = loadOnDemand("nodemailer");
  return createTransport({
    url: smtpUrl,
    ...mailTimeouts,
    ...timeouts,
    // Credentials are never sent unencrypted, also if somebody between hides the offer of STARTTLS. The URL can say otherwise.
    requireTLS: new URL(smtpUrl).username !== "",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

export function invitationMail(invitation: CreatedInvitation, organizationName: string | null): Mail {
  const { email, role, invited_by, link, expires_at } = invitation;
  const place = organizationName === null ? "the event platform" : `${oneLine(organizationName)} on the event platform`;
  return {
    to: email,
    subject: `Invitation to ${place}`,
    text: `${oneLine(invited_by)} invites you to ${place}${role === null ? "" : `, as ${role}`}.

Accept the invitation:
${link}

The link works once, until ${expires_at.slice(0, 10)}. If you did not expect it, ignore this message.
`,
  };
}

export function resetMail(email: string, link: string): Mail {
  return {
    to: email,
    subject: "Set a new password for the event platform",
    text: `Somebody, probably you, asked for a new password for ${email}.

Set it here:
${link}

The link works once, for ${resetLinkHours} hours. If it was not you, ignore this message: your password stays as it is.
`,
  };
}

/** Names are input: they must not add lines to a message. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 200);
}
