import type { CreatedInvitation } from "../modules/users/invitation-store.js";
import type { Mail } from "./mail.js";
import { resetHours } from "./password-reset.js";

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

The link works once, for ${resetHours} hours. If it was not you, ignore this message: your password stays as it is.
`,
  };
}

/** Names are input: they must not add lines to a message. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, 200);
}
