import { expectEqual, findEvent, type Task } from "./task.js";

const domain = "bulk-mail.example";

export const decideAboutGuests: Task = {
  id: "T4",
  title: "Approve ten guests, decline a mail domain, waitlist the rest",
  goal: { calls: 8, bytes: 42_000 },
  async run({ agent, checker, change, prepare, say }) {
    const { id: event_id } = await findEvent(checker, "agents in production");
    await prepare("add_event_guest", { event_id, guests: newGuests() });
    const before = await countsOf();

    const event = await findEvent(agent, "agents in production");
    const batch = (action: string, filter: object, reason: string) =>
      change("batch_update_event_registrations", { event_id: event.id, action, filter }, reason);
    const declined = await batch("decline", { status: "pending", email_domain: domain }, "Not a real audience");
    const approved = await batch("approve", { status: "pending", limit: 10 }, "First come, first served");
    const waitlisted = await batch("waitlist", { status: "pending" }, "The hall may still fill");
    const numbers = [approved, declined, waitlisted].map(({ committed }) => committed.changed as number);
    say(`${numbers[0]} approved, ${numbers[1]} declined, ${numbers[2]} on the waiting list`);

    expectEqual("approved and declined", numbers.slice(0, 2), [10, 6]);
    const after = await countsOf();
    expectEqual("still pending", after.pending, 0);
    expectEqual("guests", sumOf(after), sumOf(before));
    expectEqual("newly waitlisted", after.waitlisted - before.waitlisted, before.pending - 16);
    const { items } = await checker.call("list_event_registrations", { event_id, query: domain });
    expectEqual(
      "states of the domain",
      [...new Set(items.map(({ status }: { status: string }) => status))],
      ["declined"],
    );

    async function countsOf() {
      return (await checker.call("list_event_registrations", { event_id, limit: 1 })).counts;
    }
  },
};

/** Twenty requests that arrived over night, six of them from one mail domain. */
function newGuests() {
  return Array.from({ length: 20 }, (_, index) => {
    const number = index + 1;
    const host = index % 3 === 2 ? domain : "visitors.example";
    return { name: `Visitor ${number}`, email: `visitor${number}@${host}`, status: "pending" };
  });
}

function sumOf({ pending, approved, waitlisted, declined }: Record<string, number>): number {
  return (pending ?? 0) + (approved ?? 0) + (waitlisted ?? 0) + (declined ?? 0);
}
