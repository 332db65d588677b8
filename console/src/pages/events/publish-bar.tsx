import type { DashboardEvent } from "../../../../contract/console/organization.ts";
import type { JobRequest } from "../../change/job-request.ts";
import { useJob } from "../../change/use-change.tsx";
import { countOf } from "../../format/counts.ts";
import { Button } from "../../ui/button.tsx";
import { SelectionBar } from "../../ui/selection-bar.tsx";

type Props = { organizationId: string; selected: DashboardEvent[]; onClear: () => void };

/** What can be done with the selected events. */
export function PublishBar({ organizationId, selected, onClear }: Props) {
  const startJob = useJob();
  const approved = selected.filter(({ status }) => status === "approved");
  return (
    <SelectionBar
      label="Selected events"
      count={selected.length}
      nothing={approved.length === 0 ? "All of them are published." : undefined}
      onClear={onClear}
    >
      <Button
        size="small"
        kind="primary"
        onPress={() => startJob({ ...publication(organizationId, approved), onDone: onClear })}
      >
        Publish {countOf(approved.length, "event")}
      </Button>
    </SelectionBar>
  );
}

function publication(organization: string, events: DashboardEvent[]): JobRequest {
  const title = `Publish ${countOf(events.length, "event")}`;
  return {
    organization,
    tool: "update_event_details",
    items: events.map(({ id }) => ({ id, count: 1 })),
    size: 1,
    separately: true,
    argsOf: ([event_id]) => ({ event_id, status: "published" }),
    refusals: ["conflict", "forbidden", "not_found"],
    title,
    confirmLabel: title,
    reason: `Published ${countOf(events.length, "event")}`,
    doneWord: "published",
    done: (count) => `${countOf(count, "event")} published`,
    leftOut: (count, refusal) => `${countOf(count, "event")} left out. ${refusal ?? ""}`,
    describe: (
      <div className="column gap-2">
        <p>Agents and attendees see approved events already. Publishing marks them as final.</p>
        <ul>
          {events.map(({ id, name }) => (
            <li key={id} dir="auto" className="breaks">
              {name}
            </li>
          ))}
        </ul>
      </div>
    ),
  };
}
