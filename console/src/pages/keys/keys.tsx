import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { ApiKey, KeyList } from "../../../../contract/console/organization.ts";
import { type Role, roleAtLeast } from "../../../../contract/roles.ts";
import { useOrganization } from "../../api/session.ts";
import { countOf, formatCount } from "../../format/counts.ts";
import { articled } from "../../format/roles.ts";
import { useOpenedByAddress } from "../../shell/opened-by-address.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { TableSkeleton } from "../../ui/skeleton.tsx";
import { keysQuery } from "./key-data.ts";
import { EndedKeys, KeyTable } from "./key-table.tsx";

/** Loaded when they are first opened: forms are the larger part of this page. */
const CreateKeyDialog = lazyPart(() => import("./create-key-dialog.tsx"), "CreateKeyDialog");
const RotateKeyDialog = lazyPart(() => import("./rotate-key-dialog.tsx"), "RotateKeyDialog");

export function KeysPage() {
  usePageTitle("API keys");
  const { id, slug, role } = useOrganization();
  const { data, error, refetch } = useQuery(keysQuery(id));
  const [creating, setCreating] = useOpenedByAddress("create");
  const [rotating, setRotating] = useState<ApiKey>();
  const isOwner = roleAtLeast(role, "owner");
  const create = (
    <Button kind="primary" icon="plus" onPress={() => setCreating("true")}>
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description={
          <>
            Programs use keys to act for your organization. An assistant or editor that you work with needs none:{" "}
            <Link to="/o/$organization/settings/apps" params={{ organization: slug }}>
              connect it by signing in
            </Link>
            .
          </>
        }
        {...(isOwner && data !== undefined && data.keys.length > 0 ? { actions: create } : {})}
      />
      {!isOwner && (
        <div className="column gap-3 space-below">
          <WhyNot role={role} />
        </div>
      )}
      {data !== undefined && <Keys list={data} isOwner={isOwner} create={create} onRotate={setRotating} />}
      {data === undefined &&
        (error === null ? (
          <TableSkeleton label="Loading API keys" rows={2} rowHeight="64px" />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        ))}
      <Suspense>
        {isOwner && creating !== undefined && <CreateKeyDialog onClose={() => setCreating(undefined)} />}
        {rotating !== undefined && <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(undefined)} />}
      </Suspense>
    </>
  );
}

const ended = "A request with one of them is answered with 401 Unauthorized.";

type KeysProps = { list: KeyList; isOwner: boolean; create: React.ReactNode; onRotate: (key: ApiKey) => void };

function Keys({ list: { keys, ended_keys, ended_count }, isOwner, create, onRotate }: KeysProps) {
  const expiring = keys
    .filter(({ expires_soon }) => expires_soon)
    .toSorted((a, b) => a.expires_at.localeCompare(b.expires_at));
  return (
    <>
      {expiring.length > 0 && (
        <div className="column gap-3 space-below">
          <ExpiryNotice keys={expiring} isOwner={isOwner} onRotate={onRotate} />
        </div>
      )}
      {keys.length === 0 ? (
        <NoKeys isOwner={isOwner} create={create} />
      ) : (
        <KeyTable keys={keys} isOwner={isOwner} onRotate={onRotate} />
      )}
      {ended_keys.length > 0 && (
        <Section
          title="Revoked and expired keys"
          description={
            ended_count > ended_keys.length
              ? `The last ${formatCount(ended_keys.length)} of ${formatCount(ended_count)}. ${ended}`
              : ended
          }
        >
          <EndedKeys keys={ended_keys} />
        </Section>
      )}
    </>
  );
}

const WhyNot = ({ role }: { role: Role }) => (
  <InlineNotice title="Owners manage API keys">
    A key can do what its owner can, so only owners create, rotate and revoke them. You are {articled(role)} here:{" "}
    <Link to="/o/$organization/settings/members" params={(before) => ({ organization: before.organization ?? "" })}>
      ask an owner
    </Link>
    .
  </InlineNotice>
);

function ExpiryNotice({
  keys,
  isOwner,
  onRotate,
}: {
  keys: ApiKey[];
  isOwner: boolean;
  onRotate: (key: ApiKey) => void;
}) {
  const [first] = keys;
  if (first === undefined) return null;
  const days = countOf(first.days_left ?? 0, "day");
  const title =
    keys.length === 1
      ? `“${first.name}” expires in ${days}`
      : `${formatCount(keys.length)} keys expire soon, the first in ${days}`;
  return (
    <InlineNotice
      tone="warning"
      title={title}
      action={
        isOwner && keys.length === 1 ? (
          <Button size="small" onPress={() => onRotate(first)}>
            Rotate key
          </Button>
        ) : undefined
      }
    >
      {isOwner
        ? "Rotate it to keep the agent working: the new key can take over while the old one still works."
        : "An owner can rotate it, so that the agent keeps working."}
    </InlineNotice>
  );
}

function NoKeys({ isOwner, create }: { isOwner: boolean; create: React.ReactNode }) {
  return (
    <EmptyState icon="key" title="No API keys yet" {...(isOwner ? { action: create } : {})}>
      {isOwner
        ? "Create a key for each agent: one that posts your posters, or one that helps to run your events. It takes a few seconds."
        : "An owner can create one for each agent that works for this organization."}
    </EmptyState>
  );
}
