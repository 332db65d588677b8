import { useSearch } from "@tanstack/react-router";
import { type ConnectProblem, connectProblems } from "../../../../contract/connect-problems.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { ConnectHelp } from "./connect-help.tsx";

/** Why a request of an app did not come to a decision. The address has a code only, so that no link can put words here. */
export function ConnectProblemPage() {
  usePageTitle("Connect an app");
  const { problem } = useSearch({ from: "/connect" });
  const known = problem !== undefined && Object.hasOwn(connectProblems, problem);
  return (
    <SignInFrame title="Connect an app">
      {known ? (
        <InlineNotice tone="warning" title="The app was not connected">
          {connectProblems[problem as ConnectProblem]}
        </InlineNotice>
      ) : (
        <p>Nothing waits for a decision here. Apps open this page themselves while they are being connected.</p>
      )}
      <ConnectHelp />
    </SignInFrame>
  );
}
