import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/api-error.ts";
import { queryClient } from "../../api/query-client.ts";
import { organizationKey } from "../../api/query-keys.ts";
import type { Preview } from "../../api/tools.ts";
import { reasonProblem } from "../../change/reason.ts";
import { countOf } from "../../format/counts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextArea } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toast-queue.ts";
import styles from "./events.module.css";
import { type Previewed, previewPublication, publish, unpublish } from "./publish-events.ts";

type Props = {
  organizationId: string;
  events: { id: string; name: string }[];
  onClose: (isDone: boolean) => void;
};

/** Previews each of several events, asks once, and publishes them one after the other. */
export function PublishDialog({ organizationId, events, onClose }: Props) {
  const scope = { organization: organizationId };
  const title = `Publish ${countOf(events.length, "event")}`;
  const [reason, setReason] = useState(title);
  const [isRunning, setRunning] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["publication preview", organizationId, ...events.map(({ id }) => id)],
    queryFn: () => previewPublication(scope, events),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const possible = (data ?? []).filter(isPossible);
  const problem = reasonProblem(reason);

  const run = async () => {
    setRunning(true);
    const results = await publish(scope, possible, reason);
    const failed = results.filter((result) => "problem" in result);
    const done = results.length - failed.length;
    const refresh = () => void queryClient.invalidateQueries({ queryKey: organizationKey(organizationId) });
    const undo = () =>
      unpublish(scope, results)
        .then(() => showToast("Undone"))
        .catch((cause: unknown) => showToast(`This could not be undone. ${messageOf(cause)}`, { tone: "danger" }))
        .finally(refresh);
    if (done > 0) {
      showToast(`${countOf(done, "event")} published`, { action: { label: "Undo", run: () => void undo() } });
    }
    for (const { event, problem: why } of failed.slice(0, 2)) {
      showToast(`${event.name} was not published. ${why}`, { tone: "danger" });
    }
    refresh();
    onClose(true);
  };
  return (
    <Dialog
      isOpen
      title={title}
      locked={isRunning}
      onClose={() => onClose(false)}
      footer={
        <>
          <Button isDisabled={isRunning} onPress={() => onClose(false)}>
            Cancel
          </Button>
          <Button
            kind="primary"
            isPending={isRunning}
            isDisabled={possible.length === 0 || problem !== undefined}
            onPress={() => void run()}
          >
            Publish {possible.length === 0 ? "" : countOf(possible.length, "event")}
          </Button>
        </>
      }
    >
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height="96px" label="Looking at the events" />
      ) : (
        <Effects previews={data} />
      )}
      <TextArea
        label="Reason"
        description="Recorded with the change of every event."
        value={reason}
        onChange={setReason}
        error={problem}
        rows={2}
      />
    </Dialog>
  );
}

const isPossible = (one: Previewed): one is { event: Previewed["event"]; preview: Preview } => "preview" in one;

function Effects({ previews }: { previews: Previewed[] }) {
  const impossible = previews.filter((one) => !isPossible(one));
  return (
    <>
      {impossible.length > 0 && (
        <InlineNotice tone="warning" title={`${countOf(impossible.length, "event")} cannot be published now`}>
          The others can. {"problem" in (impossible[0] ?? {}) && (impossible[0] as { problem: string }).problem}
        </InlineNotice>
      )}
      <p>Agents and attendees see approved events already. Publishing marks them as final.</p>
      <ul className={styles.effects}>
        {previews.map((one) => (
          <li key={one.event.id}>
            <span className="breaks" dir="auto">
              {one.event.name}
            </span>
            <span className="muted nowrap">{isPossible(one) ? "Approved → Published" : "Left out"}</span>
            {isPossible(one) &&
              one.preview.warnings.map(({ message }) => (
                <span key={message} className="warning small">
                  {message}
                </span>
              ))}
          </li>
        ))}
      </ul>
    </>
  );
}
