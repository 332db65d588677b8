import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { invitationDays } from "../../../../contract/nouns.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { useOrganization } from "../../api/session.ts";
import { formatCount } from "../../format/counts.ts";
import { useOpenedByAddress } from "../../shell/opened-by-address.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { TableSkeleton } from "../../ui/skeleton.tsx";
import { InvitationTable } from "./invitation-table.tsx";
import { membersQuery } from "./member-data.ts";
import { MemberTable } from "./member-table.tsx";
import { type Sent, SentDialog } from "./sent-dialog.tsx";

const InviteDialog = lazyPart(() => import("./invite-dialog.tsx"), "InviteDialog");

export function MembersPage() {
  usePageTitle("People");
  const { id, name, role } = useOrganization();
  const { data, error, refetch } = useQuery(membersQuery(id));
  const [inviting, setInviting] = useOpenedByAddress("invite");
  const [sent, setSent] = useState<Sent>();
  const isOwner = roleAtLeast(role, "owner");
  const hidden = (data?.member_count ?? 0) - (data?.members.length ?? 0);
  return (
    <>
      <PageHeader
        title="People"
        description={`Who works for ${name}, and what they may do.`}
        {...(isOwner
          ? {
              actions: (
                <Button kind="primary" icon="plus" onPress={() => setInviting("true")}>
                  Invite person
                </Button>
              ),
            }
          : {})}
      />
      {!isOwner && (
        <div className="space-below">
          <InlineNotice title="Owners manage people">Ask one of them to invite somebody.</InlineNotice>
        </div>
      )}
      {data === undefined && error === null && <TableSkeleton label="Loading people" rows={2} rowHeight="56px" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={refetch} />}
      {data !== undefined && (
        <>
          {data.invitations !== null && data.invitations.length > 0 && (
            <Section
              title="Invited"
              description={`They have not accepted yet. A link works once and ends after ${invitationDays} days.`}
            >
              <InvitationTable invitations={data.invitations} onSent={setSent} />
            </Section>
          )}
          <Section title="Members">
            <MemberTable members={data.members} />
            {hidden > 0 && <p className="faint small regular">{formatCount(hidden)} more are not shown.</p>}
          </Section>
        </>
      )}
      {sent !== undefined && <SentDialog {...sent} onClose={() => setSent(undefined)} />}
      <Suspense>
        {isOwner && inviting !== undefined && <InviteDialog onClose={() => setInviting(undefined)} />}
      </Suspense>
    </>
  );
}
