import { expectEqual, findEvent, type Task } from "./task.js";

export const firstSpeaker: Task = {
  id: "T3",
  title: "Add a speaker in first position",
  goal: { calls: 3 },
  async run({ agent, checker, change, say }) {
    const { id: event_id, name: eventName, speakers } = await findEvent(agent, "opening keynote");
    const name = "Grace Hopper";
    await change(
      "add_event_speaker",
      { event_id, name, title: "Rear Admiral", company: "US Navy", position: 1 },
      "Grace opens the keynote",
    );
    say(`${name} is the first speaker of ${eventName}`);

    const read = await checker.call("get_event_admin_snapshot", { event_id });
    expectEqual(
      "speakers",
      read.speakers.map((speaker: { name: string }) => speaker.name),
      [name, ...speakers],
    );
  },
};
