import type { DashboardEvent } from "../../../../contract/console/organization.ts";
import { formatCount } from "../../format/counts.ts";
import { Link } from "../../ui/link.tsx";
import { attentionWords } from "../event/attention-words.ts";

/** The most urgent that an event needs, with the way to it, and how much else there is. */
export function Needs({ event: { id, name, needs }, slug }: { event: DashboardEvent; slug: string }) {
  const [first, ...others] = needs;
  if (first === undefined) return null;
  const { why, part, search = {} } = attentionWords[first.kind];
  const place: string = `/o/${slug}/events/${id}/${part}`;
  return (
    <>
      <Link to={place} search={search}>
        {why(first.count)}
        <span className="visually-hidden">: {name}</span>
      </Link>
      {others.length > 0 && <span className="muted"> and {formatCount(others.length)} more</span>}
    </>
  );
}
