import { expectEqual, findEvent, type Task } from "./task.js";

/** A workshop morning of three hours. */
const program = [
  { title: "Doors and coffee", duration_minutes: 15, kind: "logistics" },
  { title: "Welcome", duration_minutes: 10 },
  { title: "How the project works", duration_minutes: 20 },
  { title: "Set up your machine", duration_minutes: 25, kind: "other" },
  { title: "Find an issue", duration_minutes: 20, kind: "other" },
  { title: "Break", duration_minutes: 15, kind: "break" },
  { title: "Write the change", duration_minutes: 35, kind: "other" },
  { title: "Review in pairs", duration_minutes: 15, kind: "other" },
  { title: "What comes next", duration_minutes: 10 },
];

export const runOfShow: Task = {
  id: "T9",
  title: "Build a half-day run of show, insert a segment, shift the rest",
  goal: { calls: 10 },
  async run({ agent, checker, change, say }) {
    const { id: event_id, start_time } = await findEvent(agent, "your first contribution");
    const [first, ...others] = program;
    const built = await change(
      "create_event_segment",
      { event_id, segments: [{ ...first, start_time }, ...others] },
      "The program is decided",
    );
    const segments: { id: string; title: string }[] = built.committed.after.segments;
    const idOf = (title: string) => segments.find((segment) => segment.title === title)?.id;
    await change(
      "create_event_segment",
      {
        event_id,
        title: "A word from the sponsor",
        duration_minutes: 5,
        after_segment_id: idOf("Welcome"),
        shift_following: true,
      },
      "The sponsor asked for it",
    );
    await change(
      "update_event_segment",
      { event_id, segment_id: idOf("Break"), duration_minutes: 20, shift_following: true },
      "Fifteen minutes are too short for this room",
    );
    const { segments: schedule } = await agent.call("get_event_run_of_show", { event_id });
    for (const { start_time: start, title } of schedule) say(`  ${start}  ${title}`);

    const read = await checker.call("get_event_run_of_show", { event_id });
    expectEqual(
      "minutes from the start",
      read.segments.map((segment: { title: string; start_time: string }) => [
        segment.title,
        (Date.parse(segment.start_time) - Date.parse(start_time)) / 60_000,
      ]),
      [
        ["Doors and coffee", 0],
        ["Welcome", 15],
        ["A word from the sponsor", 25],
        ["How the project works", 30],
        ["Set up your machine", 50],
        ["Find an issue", 75],
        ["Break", 95],
        ["Write the change", 115],
        ["Review in pairs", 150],
        ["What comes next", 165],
      ],
    );
    expectEqual("gaps and overlaps", [read.gaps, read.overlaps], [[], []]);
  },
};
