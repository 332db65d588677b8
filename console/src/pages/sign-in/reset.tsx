import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { InlineNotice, ProblemNotice } from "../../ui/inline-notice.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { LinkProblem } from "./link-problem.tsx";
import { NewPassword } from "./new-password.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

export function ResetPage() {
  usePageTitle("Choose a new password");
  const { token } = useParams({ from: "/reset/$token" });
  const { data, error, refetch } = useQuery({
    queryKey: ["password-reset", token],
    queryFn: ({ signal }) => call("reset", { token }, { signal }),
    retry: false,
  });
  return (
    <SignInFrame
      title="Choose a new password"
      {...(data === undefined ? {} : { description: `For ${data.email}. All other devices are signed out.` })}
    >
      {data === undefined && error === null && <Skeleton height="120px" label="Checking the link" />}
      {data === undefined && error !== null && (
        <>
          <LinkProblem error={error} onRetry={() => void refetch()} />
          <p className="muted small">
            <Link to="/sign-in" search={{ forgot: true }}>
              Request another link
            </Link>
          </p>
        </>
      )}
      {data !== undefined && <ResetForm token={token} email={data.email} />}
    </SignInFrame>
  );
}

function ResetForm({ token, email }: { token: string; email: string }) {
  const [password, setPassword] = useState("");
  const [isDone, setDone] = useState(false);
  const { submit, isPending, problem } = useSubmit();
  const save = async () => {
    await call("resetPassword", { token, body: { password } }, { withoutSession: true });
    queryClient.clear();
    setDone(true);
  };
  const isOfField = problem?.field === "password";
  if (isDone) {
    return (
      <>
        <InlineNotice tone="success" title="Your password is changed" live>
          Sign in with it now.
        </InlineNotice>
        <ButtonLink to="/sign-in" kind="primary" full>
          Sign in
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <ProblemNotice text={isOfField ? undefined : problem?.text} />
      <Form label="New password" onSubmit={() => submit(save)}>
        {/* For password managers, which store the password under it. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <NewPassword
          label="New password"
          value={password}
          onChange={setPassword}
          error={isOfField ? problem.text : undefined}
        />
        <Button type="submit" kind="primary" full isPending={isPending}>
          Save password
        </Button>
      </Form>
    </>
  );
}
