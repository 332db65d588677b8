import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type Problem, problemOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LinkProblem } from "./link-problem.tsx";
import { NewPassword } from "./new-password.tsx";
import styles from "./sign-in.module.css";
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
          <p className={styles.aside}>
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
  const [state, setState] = useState<"editing" | "sending" | "done">("editing");
  const [problem, setProblem] = useState<Problem>();
  const save = async () => {
    if (state === "sending") return;
    setState("sending");
    setProblem(undefined);
    try {
      await call("resetPassword", { token, body: { password } }, { withoutSession: true });
      queryClient.clear();
      setState("done");
    } catch (error) {
      setState("editing");
      setProblem(problemOf(error));
    }
  };
  if (state === "done") {
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
      {problem !== undefined && problem.field !== "password" && (
        <InlineNotice tone="danger" live>
          {problem.text}
        </InlineNotice>
      )}
      <Form label="New password" onSubmit={() => void save()}>
        {/* For password managers, which store the password under it. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <NewPassword
          label="New password"
          value={password}
          onChange={setPassword}
          error={problem?.field === "password" ? problem.text : undefined}
        />
        <Button type="submit" kind="primary" full isPending={state === "sending"}>
          Save password
        </Button>
      </Form>
    </>
  );
}
