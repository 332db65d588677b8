import { expectEqual, findEvent, type Task } from "./task.js";

const minutes = 60_000;

export const moveKeynote: Task = {
  id: "T2",
  title: "Move a keynote and its run of show",
  goal: { calls: 4 },
  async run({ agent, checker, change, say }) {
    const event = await findEvent(agent, "opening keynote");
    const event_id = event.id;
    const before = await checker.call("get_event_run_of_show", { event_id });

    const later = (time: string, by: number) => new Date(Date.parse(time) + by * minutes).toISOString();
    const start_time = later(event.start_time, 45);
    const end_time = later(start_time, durationOf(event.local_time));
    const { preview } = await change(
      "update_event_details",
      { event_id, start_time, end_time, move_run_of_show: true },
      "The hall opens later",
    );
    say(`${event.name} now begins at ${start_time}; ${preview.proposed.segments.length} segments moved with it`);

    const { event: moved } = await checker.call("get_event_admin_snapshot", { event_id });
    expectEqual(
      "start and end",
      [moved.start_time, moved.end_time].map(Date.parse),
      [start_time, end_time].map(Date.parse),
    );
    const after = await checker.call("get_event_run_of_show", { event_id });
    expectEqual(
      "starts of segments",
      startsOf(after),
      startsOf(before).map((time) => later(time, 45)),
    );
  },
};

function startsOf({ segments }: { segments?: { start_time: string }[] }): string[] {
  return (segments ?? []).map(({ start_time }) => new Date(start_time).toISOString());
}

/** The minutes of “Tue 2026-12-08 09:30–10:45”. */
function durationOf(localTime: string): number {
  const [from = 0, to = 0] = [...localTime.matchAll(/(\d\d):(\d\d)/g)].map(
    ([, hour, minute]) => Number(hour) * 60 + Number(minute),
  );
  return to - from;
}
