import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { rememberVisitor } from "../../api/offline-session.ts";
import { useSession } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { EndedLink } from "./ended-link.tsx";
import { OpenLink } from "./open-link.tsx";
import { readOpenedLink } from "./opened-link.ts";

const VolunteerDoor = lazyPart(() => import("./volunteer-door.tsx"), "VolunteerDoor");

const openedLinkKey = ["opened-door-link"] as const;

/** The door of one event for somebody without an account, who has opened a link. Its secret is in the fragment. */
export function VolunteerPage() {
  usePageTitle("Check-in");
  const session = useSession();
  const client = useQueryClient();
  const [token, setToken] = useToken();
  const opened = useQuery({ queryKey: openedLinkKey, queryFn: readOpenedLink, enabled: token === "", retry: false });
  useEffect(() => rememberVisitor(session), [session]);
  if (token !== "") {
    return (
      <OpenLink
        token={token}
        onOpened={() => {
          client.removeQueries({ queryKey: openedLinkKey });
          setToken("");
        }}
      />
    );
  }
  if (opened.data === undefined) {
    if (!opened.isError) return <PageSkeleton />;
    return (
      <SignInFrame title="Check-in">
        <ErrorState error={opened.error} onRetry={() => void opened.refetch()} />
      </SignInFrame>
    );
  }
  if (opened.data === null) {
    return (
      <SignInFrame title="No door link is open">
        <p>Open the link that the organizers gave to you, on this device.</p>
      </SignInFrame>
    );
  }
  if (!opened.data.isOpen) return <EndedLink event={opened.data.link.event} />;
  return (
    <Suspense fallback={<PageSkeleton />}>
      <VolunteerDoor key={opened.data.link.link.id} opened={opened.data.link} onClosed={opened.refetch} />
    </Suspense>
  );
}

/** The secret of a link is in the address until the door is open, so that the page can be loaded again. */
function useToken(): [string, (token: string) => void] {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    const read = () => setToken(tokenInAddress());
    addEventListener("hashchange", read);
    return () => removeEventListener("hashchange", read);
  }, []);
  const set = (next: string) => {
    history.replaceState(history.state, "", location.pathname);
    setToken(next);
  };
  return [token, set];
}

const tokenInAddress = () => location.hash.slice(1);
