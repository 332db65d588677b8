import type { AgentClient, Arguments, Result } from "../agent-client.js";

/** The tools that the task needs: the agent asks for no others, so its model reads no others. */
export const hostTaskTools = [
  "get_organization_admin_snapshot",
  "update_event_details",
  "add_event_speaker",
  "batch_update_event_registrations",
  "generate_event_poster_draft",
  "set_event_run_of_show_publication",
];

export type HostTaskOutcome = {
  event: string;
  changed: string[];
  unchanged: string[];
  /** By which revert_change undoes the changes. */
  records: string[];
  imageUrl: string | undefined;
};

/**
 * Five parts: move the keynote to Hall 2, add Ada as a speaker, approve the first ten pending guests, draw and publish a
 * poster, publish the run of show. It can run again: what is done already is left as it is.
 */
export async function runHostTask(agent: AgentClient): Promise<HostTaskOutcome> {
  const { events } = await agent.call("get_organization_admin_snapshot", { event_name: "keynote", limit: 1 });
  const [event] = events;
  if (event === undefined) throw new Error("your organization hosts no event with “keynote” in its name");
  const changed: string[] = [];
  const unchanged: string[] = [];
  const records: string[] = [];
  const change = async (name: string, args: Arguments, reason: string): Promise<Result | undefined> => {
    const { committed } = await agent.change(name, { event_id: event.id, ...args }, reason);
    (committed === undefined ? unchanged : changed).push(name);
    if (committed !== undefined) records.push(committed.record_id);
    return committed;
  };

  await change("update_event_details", { venue: "Hall 2" }, "The keynote has outgrown its room");
  const ada = { name: "Ada Lovelace", title: "Analyst", company: "Analytical Engines" };
  if (event.speakers.includes(ada.name)) unchanged.push("add_event_speaker");
  else await change("add_event_speaker", ada, "Ada has confirmed");
  const firstTen = { action: "approve", filter: { status: "pending", limit: 10 } };
  if (event.guests.pending === 0) unchanged.push("batch_update_event_registrations");
  else await change("batch_update_event_registrations", firstTen, "First come, first served");
  // What a poster shows is drawn: only a change of it asks for another one.
  const isOutdated = changed.includes("update_event_details") || changed.includes("add_event_speaker");
  const drawn = isOutdated
    ? await change("generate_event_poster_draft", { publish: true }, "The line-up is complete")
    : void unchanged.push("generate_event_poster_draft");
  await change("set_event_run_of_show_publication", { published: true }, "The schedule is final");
  return { event: event.name, changed, unchanged, records, imageUrl: drawn?.after.poster.image_url };
}
