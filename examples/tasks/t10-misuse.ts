import { randomUUID } from "node:crypto";
import type { Arguments } from "../agent-client.js";
import { expectEqual, findEvent, type Task } from "./task.js";

type Misuse = [what: string, tool: string, args: Arguments, code: string];

export const misuse: Task = {
  id: "T10",
  title: "Misuse: every call is refused, and nothing changes",
  goal: {},
  async run({ agent, checker, partner, change, say }) {
    const { id: event_id } = await findEvent(agent, "closing keynote");
    const stateNow = () => checker.call("get_event_admin_snapshot", { event_id });
    const before = await stateNow();
    const venue = { event_id, venue: "The car park" };
    const { commit_with } = await agent.call("update_event_details", venue);
    const commit = { ...venue, ...commit_with, reason: "A misuse" };
    const { items: declined } = await checker.call("list_event_registrations", { event_id, status: "declined" });
    const { hosts } = await checker.call("get_event_host_snapshot", { event_id });
    const foreign = partner === undefined ? undefined : await foreignEvent();

    const details = "update_event_details";
    const guests = "batch_update_event_registrations";
    const cases: Misuse[] = [
      ["a commit without a preview", details, { ...venue, dry_run: false }, "confirmation_required"],
      ["a commit without a reason", details, { ...commit, reason: undefined }, "confirmation_required"],
      ["a reason that says nothing", details, { ...commit, reason: " " }, "invalid_input"],
      ["an invented version", details, { ...commit, expected_version: "1" }, "version_conflict"],
      ["a commit that differs from its preview", details, { ...commit, venue: "The roof" }, "incomplete_commit"],
      ["an argument that does not exist", details, { event_id, location: "The roof" }, "invalid_input"],
      ["an end before the start", details, { event_id, end_time: "2001-01-01T00:00:00Z" }, "invalid_input"],
      ["an event that does not exist", details, { event_id: randomUUID(), venue: "Hall 3" }, "not_found"],
      ["a batch of everybody", guests, { event_id, action: "decline", filter: {} }, "invalid_input"],
      ["a batch of nobody", guests, { event_id, action: "approve", emails: ["nobody@nowhere.example"] }, "not_found"],
      [
        "checking in a declined guest",
        "set_event_registration_check_in",
        { event_id, registration_id: declined[0].id, checked_in: true },
        "invalid_transition",
      ],
      ["removing the host", "remove_event_cohost", { event_id, organization_id: hosts[0].organization_id }, "conflict"],
      ["reverting what never happened", "revert_change", { record_id: randomUUID() }, "not_found"],
      ...(foreign === undefined
        ? []
        : [["another organization's event", details, { ...venue, event_id: foreign }, "forbidden"] satisfies Misuse]),
    ];
    for (const [what, tool, args, code] of cases) {
      const error = await agent.refusal(tool, args);
      expectEqual(what, error.code, code);
      say(`  ${what}: ${error.message}`);
    }
    // A dry run never commits, whatever else is sent.
    const preview = await agent.call(details, { ...commit, dry_run: true });
    expectEqual("confirm in a dry run", preview.dry_run, true);
    const unknown = await agent.call("delete_event", { event_id }).catch((error: Error) => error.message);
    expectEqual("an invented tool", String(unknown).includes("Unknown tool: delete_event"), true);
    expectEqual("the event", await stateNow(), before);

    const { preview: used } = await change(details, venue, "To try its key again");
    const again = await agent.refusal(details, { ...used.commit_with, venue: "The roof", reason: "A misuse" });
    expectEqual("a key that was used", again.code, "idempotency_conflict");
    say(`  a key that was used: ${again.message}`);

    async function foreignEvent(): Promise<string | undefined> {
      const { events } = await (partner ?? checker).call("get_organization_admin_snapshot", { limit: 100 });
      for (const { id } of events) {
        const refusal = await checker.refusal("get_event_host_snapshot", { event_id: id }).catch(() => undefined);
        if (refusal !== undefined) return id;
      }
      return undefined;
    }
  },
};
