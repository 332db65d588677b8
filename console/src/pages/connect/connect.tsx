import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { isApiError } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { ConnectHelp } from "./connect-help.tsx";
import { ConsentForm } from "./consent-form.tsx";
import { type Decided, DecidedNotice } from "./decided-notice.tsx";

/** Where a person decides what an app may do for them. The app has sent the browser here, and gets it back with the decision. */
export function ConnectPage() {
  const { uid } = useParams({ from: "/signed-in/connect/$uid" });
  const { data, error, refetch } = useQuery({
    queryKey: ["connect-request", uid],
    queryFn: ({ signal }) => call("connectRequest", { uid }, { signal }),
    retry: false,
    // The decision ends it: reading it again would only report that.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [decided, setDecided] = useState<Decided>();
  usePageTitle(data === undefined ? "Connect an app" : `Connect ${data.app.name}`);
  if (decided !== undefined && data !== undefined) return <DecidedNotice app={data.app} decided={decided} />;
  if (error !== null) {
    return (
      <SignInFrame title="Connect an app">
        {isApiError(error, "not_found") || isApiError(error, "conflict") ? (
          <InlineNotice tone="warning" title="This request cannot be continued" live>
            {error.message}
          </InlineNotice>
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )}
        <ConnectHelp />
      </SignInFrame>
    );
  }
  if (data === undefined) {
    return (
      <SignInFrame title="Connect an app">
        <Skeleton height="240px" label="Reading what the app asks for" />
      </SignInFrame>
    );
  }
  const { name, logo_url, described_by } = data.app;
  return (
    <SignInFrame
      wide
      title={
        <span className="flex centered gap-4 breaks">
          <Avatar name={name} imageUrl={logo_url} size={48} square />
          <span>
            Connect <bdi>{name}</bdi>
          </span>
        </span>
      }
      description="It asks to work here in your name. You decide what it may see and change."
    >
      <InlineNotice
        tone="warning"
        title={described_by === null ? "Nobody vouches for this app" : `This app is described by ${described_by}`}
      >
        It chose its name itself. Continue only if you started this yourself, just now, in an app that you trust.
      </InlineNotice>
      <ConsentForm uid={uid} request={data} onDecided={setDecided} onFailed={() => void refetch()} />
    </SignInFrame>
  );
}
