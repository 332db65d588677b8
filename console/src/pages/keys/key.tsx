import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { ApiKey } from "../../../../contract/console/organization.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { useOrganization } from "../../api/session.ts";
import { localZone } from "../../format/times.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { KeyValueList } from "../../ui/key-value.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Link } from "../../ui/link.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { PageSkeleton } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { ActivityList } from "../activity/activity-list.tsx";
import { keyQuery } from "./key-data.ts";
import { EndState, LastUse, TimeLeft, useRevoke } from "./key-table.tsx";
import { ScopeList } from "./scope-list.tsx";

const RotateKeyDialog = lazyPart(() => import("./rotate-key-dialog.tsx"), "RotateKeyDialog");

/** One key: what it may do, who made it, when it was used, and what it has changed. */
export function KeyPage() {
  const { key = "" } = useParams({ strict: false });
  const { id, role } = useOrganization();
  const { data, error, refetch } = useQuery(keyQuery(id, key));
  usePageTitle(data?.name ?? "API key");
  if (data === undefined) return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  return <Loaded apiKey={data} isOwner={roleAtLeast(role, "owner")} />;
}

function Loaded({ apiKey, isOwner }: { apiKey: ApiKey; isOwner: boolean }) {
  const organization = useOrganization();
  const [isRotating, setRotating] = useState(false);
  const revoke = useRevoke();
  const isActive = apiKey.state === "active";
  return (
    <>
      <PageHeader
        eyebrow={
          <Link to="/o/$organization/settings/keys" params={{ organization: organization.slug }}>
            API keys
          </Link>
        }
        title={apiKey.name}
        description={<code>{apiKey.prefix}…</code>}
        {...(isOwner && isActive
          ? {
              actions: (
                <>
                  {apiKey.replaced_at === null && (
                    <Button icon="refresh" onPress={() => setRotating(true)}>
                      Rotate key
                    </Button>
                  )}
                  <Button kind="danger" onPress={() => revoke(apiKey)}>
                    Revoke key
                  </Button>
                </>
              ),
            }
          : {})}
      />
      <Section title="About this key">
        <KeyValueList items={factsOf(apiKey)} />
      </Section>
      <Section
        title="What it may do"
        description={
          apiKey.created_by.role === null
            ? "Nothing any more: the person whom it acts for has left the organization."
            : `As far as the role of ${apiKey.created_by.name} goes, who is ${apiKey.created_by.role} now.`
        }
      >
        <ScopeList scopes={apiKey.scopes} />
      </Section>
      <Section title="Changes" description="What it has changed, newest first.">
        <ActivityList organization={organization} search={{}} keyId={apiKey.id} />
      </Section>
      <Suspense>{isRotating && <RotateKeyDialog apiKey={apiKey} onClose={() => setRotating(false)} />}</Suspense>
    </>
  );
}

function factsOf(apiKey: ApiKey) {
  const { created_by, created_at, state } = apiKey;
  return [
    state === "active"
      ? { name: "Expires", value: <TimeLeft apiKey={apiKey} /> }
      : { name: "State", value: <EndState apiKey={apiKey} /> },
    {
      name: "Created",
      value: (
        <>
          <Time at={created_at} zone={localZone()} show="day" /> by{" "}
          <bdi title={created_by.email}>{created_by.name}</bdi>
        </>
      ),
    },
    { name: "Last used", value: <LastUse apiKey={apiKey} /> },
  ];
}
