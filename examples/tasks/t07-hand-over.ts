import type { AgentClient } from "../agent-client.js";
import { expectEqual, findEvent, type Task } from "./task.js";

const words = "state of open protocols";
/** A co-host of the event, which takes over at once. */
const successor = "boreal-commons";
/** Not a host of it, so that it gets an offer. */
const stranger = "quorum-systems";

export const handOver: Task = {
  id: "T7",
  title: "Hand over an event and leave it",
  goal: {},
  async run({ agent, checker, partner, say }) {
    const { id: event_id } = await findEvent(agent, words);
    const hostsNow = async (client: AgentClient) =>
      (await client.call("get_event_host_snapshot", { event_id })).hosts.map(
        ({ slug, role }: { slug: string; role: string }) => `${slug}: ${role}`,
      );
    const before = await hostsNow(checker);
    const host = before[0]?.split(":")[0] ?? "";
    const handTo = (organization_id: string) =>
      agent.change("set_event_primary_host", { event_id, organization_id }, "They know the subject better");
    if (partner === undefined) {
      await handTo(stranger);
      const { host_offer: open } = await checker.call("get_event_host_snapshot", { event_id });
      await checker.change("set_event_primary_host", { event_id, organization_id: host }, "Only an example");
      expectEqual("offer was open", open !== undefined, true);
      return say("Offered to another organization and withdrawn: without SVC_PARTNER_KEY nobody can hand it back");
    }
    await handTo(successor);
    try {
      await agent.change("remove_event_cohost", { event_id, organization_id: host }, "The hand-over is complete");
      say(`${successor} hosts the event; ${host} has left it`);

      expectEqual("hosts", await hostsNow(partner), [`${successor}: host`]);
      const { code } = await checker.refusal("get_event_host_snapshot", { event_id });
      expectEqual("access of the former host", code, "forbidden");
    } finally {
      await giveBack(partner, checker, event_id, host);
    }
    expectEqual("hosts at the end", await hostsNow(checker), before);
  },
};

/** A hand-over cannot be reverted: it is made in the other direction, as an offer to the organization that has left. */
async function giveBack(partner: AgentClient, former: AgentClient, event_id: string, host: string): Promise<void> {
  const back = { event_id, organization_id: host };
  await partner.change("set_event_primary_host", back, "End of the example");
  await former.change("set_event_primary_host", back, "End of the example");
}
