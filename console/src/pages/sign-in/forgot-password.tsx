import { useState } from "react";
import { resetLinkHours } from "../../../../contract/nouns.ts";
import { messageOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Link } from "../../ui/link.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** The answer is the same whether or not there is such an account. */
export function ForgotPassword() {
  const { sign_in } = useSession();
  return sign_in.mail ? <MailedLink /> : <WithoutMail />;
}

/** Nothing can be sent: a person who may make a link has to pass it on. */
function WithoutMail() {
  usePageTitle("Reset your password");
  return (
    <SignInFrame title="Reset your password" description="This installation sends no e-mail. Ask somebody for a link.">
      <InlineNotice title="Whom to ask">
        An owner of your organization can create a link in Settings, People: “Create password link” beside your name. If
        you are the only owner, or belong to several organizations, ask an administrator of the platform.
      </InlineNotice>
      <p className="muted small">The link works once, for {resetLinkHours} hours. You choose a new password with it.</p>
      <p className="muted small">
        <Link to="/sign-in">Back to sign-in</Link>
      </p>
    </SignInFrame>
  );
}

function MailedLink() {
  usePageTitle("Reset your password");
  const [email, setEmail] = useState("");
  const [state, setState] = useState<"editing" | "sending" | "sent">("editing");
  const [error, setError] = useState<string>();

  const send = async () => {
    if (!/^\S+@\S+$/.test(email.trim())) return setError("Enter the e-mail address of your account.");
    setState("sending");
    setError(undefined);
    try {
      await call("requestReset", { body: { email: email.trim() } }, { withoutSession: true });
      setState("sent");
    } catch (problem) {
      setState("editing");
      setError(messageOf(problem));
    }
  };
  return (
    <SignInFrame title="Reset your password" description="We send a link with which you choose a new one.">
      {state === "sent" ? (
        <InlineNotice tone="success" title="Check your inbox" live>
          If there is an account for {email.trim()}, a link is on its way. It works once and expires. If nothing
          arrives, ask an owner of your organization.
        </InlineNotice>
      ) : (
        <Form label="Reset your password" onSubmit={send}>
          <TextField
            label="E-mail"
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            error={error}
            autoFocus
            isRequired
          />
          <Button type="submit" kind="primary" full isPending={state === "sending"}>
            Send link
          </Button>
        </Form>
      )}
      <p className="muted small">
        <Link to="/sign-in">Back to sign-in</Link>
      </p>
    </SignInFrame>
  );
}
