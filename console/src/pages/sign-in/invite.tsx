import { useQuery } from "@tanstack/react-query";
import { useLocation, useParams } from "@tanstack/react-router";
import type { ShownInvitation } from "../../../../contract/console/account.ts";
import { call } from "../../api/client.ts";
import { signOut, useSession } from "../../api/session.ts";
import { articled } from "../../format/roles.ts";
import { formatDay, localZone } from "../../format/times.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AcceptKnown, AcceptNew } from "./accept-invitation.tsx";
import { LinkProblem } from "./link-problem.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

export function InvitePage() {
  usePageTitle("Invitation");
  const { token } = useParams({ from: "/invite/$token" });
  const { person } = useSession();
  const { data, error, refetch } = useQuery({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) => call("invitation", { token }, { signal }),
    retry: false,
    // Accepting it ends it: reading it again would only report that.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) {
    return (
      <SignInFrame title="Invitation">
        {error === null ? (
          <Skeleton height="120px" label="Reading the invitation" />
        ) : (
          <>
            <LinkProblem error={error} onRetry={() => void refetch()} />
            <p className="muted small">
              Accepted it already? <Link to={person === null ? "/sign-in" : "/"}>Go to the console</Link>
            </p>
          </>
        )}
      </SignInFrame>
    );
  }
  const place = data.organization?.name ?? "the event platform";
  return (
    <SignInFrame title={`Join ${place}`} description={<Description invitation={data} />}>
      {data.organization !== null && (
        <div className="flex centered gap-3 breaks large medium">
          <Avatar name={data.organization.name} imageUrl={data.organization.logo_url} size={48} square />
          <span dir="auto">{data.organization.name}</span>
        </div>
      )}
      <Acceptance token={token} invitation={data} />
    </SignInFrame>
  );
}

const Description = ({ invitation: { invited_by, role, email, expires_at } }: { invitation: ShownInvitation }) => (
  <>
    <bdi>{invited_by}</bdi> invites {email}
    {role === null ? "" : ` as ${articled(role)}`}. The link works until {formatDay(expires_at, localZone())}.
  </>
);

/** Somebody new makes an account; somebody known must be signed in as the invited person. */
function Acceptance({ token, invitation }: { token: string; invitation: ShownInvitation }) {
  const { person } = useSession();
  const { pathname } = useLocation();
  const { email, has_account } = invitation;
  const isSelf = person !== null && person.email.toLowerCase() === email.toLowerCase();
  if (isSelf) return <AcceptKnown token={token} invitation={invitation} />;
  if (person !== null) {
    return (
      <InlineNotice
        tone="warning"
        title={`You are signed in as ${person.email}`}
        action={
          <Button size="small" onPress={() => void signOut().then(() => window.location.reload())}>
            Sign out
          </Button>
        }
      >
        This invitation is for {email}. Sign out to accept it.
      </InlineNotice>
    );
  }
  if (!has_account) return <AcceptNew token={token} invitation={invitation} />;
  return (
    <>
      <p>You have an account already. Sign in to accept the invitation.</p>
      <ButtonLink to="/sign-in" search={{ return_to: pathname }} kind="primary" full>
        Sign in as {email}
      </ButtonLink>
    </>
  );
}
