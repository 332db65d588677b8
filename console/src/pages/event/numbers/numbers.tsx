import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Statistics } from "../../../../../contract/schema/statistics.ts";
import { eventKey } from "../../../api/query-keys.ts";
import { useOrganization } from "../../../api/session.ts";
import { readTool } from "../../../api/tools.ts";
import { countOf, formatCount } from "../../../format/counts.ts";
import { zoneName } from "../../../format/times.ts";
import { platformName } from "../../../share/platforms.ts";
import { usePageTitle } from "../../../shell/page-title.tsx";
import { ChoiceButtons } from "../../../ui/choice-buttons.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Section } from "../../../ui/section.tsx";
import { PageSkeleton } from "../../../ui/skeleton.tsx";
import { useEvent } from "../event-page.ts";
import styles from "./charts.module.css";
import { DayChart, GroupChart } from "./charts.tsx";

type Scope = "event" | "conference";

/** Numbers over time: of the event, or of all events of its conference that the organization hosts. */
export function NumbersPage() {
  usePageTitle("Numbers");
  const { id } = useOrganization();
  const event = useEvent();
  const [scope, setScope] = useState<Scope>("event");
  const args = scope === "event" ? { event_id: event.id } : { conference_id: event.conference.id };
  const { data, error, refetch } = useQuery({
    queryKey: eventKey(id, event.id, "numbers", scope),
    queryFn: ({ signal }) => readTool(id, "get_event_statistics", args, { signal }),
  });
  return (
    <>
      <div className="space-below">
        <ChoiceButtons
          look="segments"
          label="What is counted"
          options={[
            { value: "event", label: "This event" },
            { value: "conference", label: "Your events at this conference" },
          ]}
          value={scope}
          onChange={setScope}
        />
      </div>
      {data !== undefined ? (
        <Numbers statistics={data} scope={scope} />
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

function Numbers({ statistics, scope }: { statistics: Statistics; scope: Scope }) {
  const { registrations, posted_links: links, show_up, events, timezone, conference } = statistics;
  const days = `By day, ${zoneName(timezone)}${scope === "conference" ? `; ${countOf(events, "event")} of ${conference.name}` : ""}.`;
  return (
    <>
      <dl className={styles.totals}>
        <Total name="Registrations" value={formatCount(registrations.total)} />
        <Total
          name="Show-up rate"
          value={show_up.rate === null ? "–" : `${Math.round(show_up.rate * 100)}%`}
          hint={
            show_up.rate === null
              ? scope === "event"
                ? "Known once the event has started"
                : "Known once an event has started"
              : `${formatCount(show_up.checked_in)} of ${formatCount(show_up.approved)} approved guests`
          }
        />
        <Total name="Posted links" value={formatCount(links.total)} />
      </dl>
      <Section title="Registrations over time" description={days}>
        <DayChart registrations={registrations} />
      </Section>
      <div className={styles.pair}>
        <Section title="By ticket">
          <GroupChart groups={registrations.by_ticket} noun="Ticket" counted="Registrations" without="No ticket type" />
        </Section>
        <Section title="By source">
          <GroupChart groups={registrations.by_source} noun="Source" counted="Registrations" without="Unknown" />
        </Section>
        <Section title="Posted links">
          <GroupChart
            groups={links.by_network}
            noun="Network"
            counted="Links"
            without="Unknown"
            nameOf={(name) => platformName(name, "")}
          />
        </Section>
      </div>
    </>
  );
}

const Total = ({ name, value, hint }: { name: string; value: string; hint?: string }) => (
  <div>
    <dt className="muted small">{name}</dt>
    <dd>{value}</dd>
    {hint !== undefined && <dd className="muted small">{hint}</dd>}
  </div>
);
