import { hostTaskTools, runHostTask } from "../organizer-agent/host-task.js";
import { expectEqual, findEvent, type Goal, type Task } from "./task.js";

/** The organizer example as a task, with all that opens its connection. */
function hostTask(title: string, goal: Goal, countsListOf: string[]): Task {
  return {
    id: "Host",
    title,
    goal,
    countsListOf,
    async run({ agent, checker, prepare, undo, say }) {
      const { id: event_id } = await findEvent(checker, "opening keynote");
      await prepare("set_event_run_of_show_publication", { event_id, published: false });
      const { changed, records, imageUrl } = await runHostTask(agent);
      undo(records);
      say(`Changed by ${changed.join(", ")}`);

      expectEqual("parts", changed, hostTaskTools.slice(1));
      const { event, speakers, registration_counts, run_of_show } = await checker.call("get_event_admin_snapshot", {
        event_id,
      });
      expectEqual("venue", event.venue, "Hall 2");
      expectEqual("last speaker", speakers.at(-1).name, "Ada Lovelace");
      expectEqual("pending guests", registration_counts.pending, 0);
      expectEqual("run of show published", run_of_show.published ?? event.run_of_show_published, true);
      const { posters } = await checker.call("get_event_asset_workspace", { event_id });
      const poster = posters.find((each: { image_url: string }) => each.image_url === imageUrl);
      expectEqual("poster published", poster?.published, true);
    },
  };
}

export const hostTasks: Task[] = [
  hostTask("Five parts for one event, with the list of their six tools", { calls: 12, bytes: 60_000 }, hostTaskTools),
  hostTask("The same with the list of all tools", { calls: 12, textBytes: 50_000 }, []),
];
