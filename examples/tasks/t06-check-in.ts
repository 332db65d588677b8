import { expectEqual, findEvent, type Task } from "./task.js";

export const checkIn: Task = {
  id: "T6",
  title: "Check in five guests by e-mail, undo one",
  goal: { calls: 6 },
  async run({ agent, checker, change, say }) {
    const { id } = await findEvent(checker, "welcome reception");
    const expected = { event_id: id, status: "approved", checked_in: false, limit: 5 };
    const { items } = await checker.call("list_event_registrations", expected);
    const emails: string[] = items.map(({ email }: { email: string }) => email);
    const [wrong = ""] = emails;

    const { id: event_id } = await findEvent(agent, "welcome reception");
    await change("batch_update_event_registrations", { event_id, action: "check_in", emails }, "They are at the door");
    await change(
      "set_event_registration_check_in",
      { event_id, email: wrong, checked_in: false },
      "Another guest of the same name",
    );
    say(`Checked in: ${emails.slice(1).join(", ")}; undone: ${wrong}`);

    for (const email of emails) {
      const { items: found } = await checker.call("list_event_registrations", { event_id, query: email });
      expectEqual(`${email} is in`, found[0]?.checked_in_at != null, email !== wrong);
    }
  },
};
