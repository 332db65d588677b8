import { expectEqual, type Task } from "./task.js";

export const overview: Task = {
  id: "T1",
  title: "Overview of the next conference",
  goal: { calls: 3, bytes: 20_000 },
  async run({ agent, checker, say }) {
    const { conferences, events, pagination } = await agent.call("get_organization_admin_snapshot", {
      conference: "next",
    });
    const [conference] = conferences;
    say(`${conference.name}, ${conference.city}, ${conference.start_date} to ${conference.end_date}`);
    for (const { name, local_time, venue, speakers, guests, posters, run_of_show_published } of events) {
      const open = [
        ...(guests.pending > 0 ? [`${guests.pending} guests to decide about`] : []),
        ...(posters.unposted > 0 ? [`${posters.unposted} posters not posted`] : []),
        ...(run_of_show_published ? [] : ["run of show not published"]),
      ];
      say(`  ${local_time}  ${name} (${venue ?? "no venue"}; ${speakers.join(", ") || "no speakers"})`);
      if (open.length > 0) say(`    ${open.join(", ")}`);
    }

    expectEqual("more pages", pagination.has_more, false);
    expectEqual("events", events.length, conference.events);
    for (const event of events.slice(0, 3)) {
      const read = await checker.call("get_event_admin_snapshot", { event_id: event.id });
      expectEqual("venue", event.venue, read.event.venue);
      expectEqual(
        "speakers",
        event.speakers,
        read.speakers.map(({ name }: { name: string }) => name),
      );
    }
  },
};
