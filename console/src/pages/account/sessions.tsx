import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountSession } from "../../../../contract/console/account.ts";
import { messageOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { localZone } from "../../format/times.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toast-queue.ts";
import { deviceOf } from "./device.ts";

export const sessionsKey = ["account", "sessions"] as const;

export function Sessions() {
  const { data, error, refetch } = useQuery({
    queryKey: sessionsKey,
    queryFn: ({ signal }) => call("accountSessions", {}, { signal }),
  });
  return (
    <Section
      title="Where you are signed in"
      description="Sign out what you do not recognize, and change your password."
    >
      {data === undefined && error === null && <Skeleton height="120px" label="Loading sessions" />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={refetch} />}
      {data !== undefined && <SessionTable sessions={data.sessions} />}
    </Section>
  );
}

function SessionTable({ sessions }: { sessions: AccountSession[] }) {
  const [ending, setEnding] = useState<string>();
  const end = async ({ id, user_agent }: AccountSession) => {
    setEnding(id);
    try {
      await call("revokeSession", { id });
      showToast(`${deviceOf(user_agent)} is signed out`);
    } catch (error) {
      showToast(messageOf(error), { tone: "danger" });
    }
    setEnding(undefined);
    await queryClient.invalidateQueries({ queryKey: sessionsKey });
  };
  const columns: Column<AccountSession>[] = [
    {
      title: "Device",
      cell: ({ user_agent, current }) => (
        <span title={user_agent}>
          {deviceOf(user_agent)} {current && <Badge tone="accent">This one</Badge>}
        </span>
      ),
    },
    { title: "Address", cell: ({ ip_address }) => <span className="breaks faint">{ip_address || "Unknown"}</span> },
    { title: "Signed in", cell: ({ created_at }) => <Time at={created_at} zone={localZone()} show="day" /> },
    { title: "Last used", cell: ({ last_used_at }) => <RelativeTime at={last_used_at} /> },
    {
      title: "Actions",
      hideTitle: true,
      align: "end",
      cell: (session) =>
        !session.current && (
          <Button size="small" isPending={ending === session.id} onPress={() => end(session)}>
            Sign out
          </Button>
        ),
    },
  ];
  return <Table caption="Sessions" columns={columns} rows={sessions} rowKey={({ id }) => id} cards />;
}
