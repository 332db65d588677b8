import { useQuery } from "@tanstack/react-query";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { useOrganization, usePerson, useSession } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Section } from "../../ui/section.tsx";
import { TableSkeleton } from "../../ui/skeleton.tsx";
import { appsQuery } from "./app-data.ts";
import { AppTable, EndedApps } from "./app-table.tsx";
import { ConnectClients } from "./connect-clients.tsx";

export function AppsPage() {
  usePageTitle("Connected apps");
  const { id, name, role } = useOrganization();
  const person = usePerson();
  const { public_url: publicUrl } = useSession();
  const { data, error, refetch } = useQuery(appsQuery(id));
  const isOwner = roleAtLeast(role, "owner");
  return (
    <>
      <PageHeader
        title="Connected apps"
        description={`Assistants and editors that people of ${name} have connected by signing in. Each acts for the person who connected it.`}
      />
      {data === undefined &&
        (error === null ? (
          <TableSkeleton label="Loading connected apps" rows={2} rowHeight="64px" />
        ) : (
          <ErrorState error={error} onRetry={refetch} />
        ))}
      {data !== undefined && (
        <>
          {data.apps.length > 0 && (
            <AppTable apps={data.apps} mayDisconnect={({ connected_by }) => isOwner || connected_by.id === person.id} />
          )}
          <Section
            title="Connect an app"
            description={`${data.apps.length === 0 ? "No app is connected yet. " : ""}It needs no key: it opens this console, and you decide there what it may do.`}
          >
            <ConnectClients baseUrl={publicUrl} />
          </Section>
          {data.ended_apps.length > 0 && (
            <Section
              title="Disconnected apps"
              description="They cannot act for anybody until their person connects them again."
            >
              <EndedApps apps={data.ended_apps} />
            </Section>
          )}
        </>
      )}
    </>
  );
}
