import type { AgentClient } from "../agent-client.js";
import { expectEqual, findEvent, type Task } from "./task.js";

const words = "state of open protocols";
const successor = "boreal-commons";

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
    const offer = { event_id, organization_id: successor };
    await agent.change("set_event_primary_host", offer, "They know the subject better");
    if (partner === undefined) {
      const { host_offer: open } = await checker.call("get_event_host_snapshot", { event_id });
      await checker.change("set_event_primary_host", { event_id, organization_id: host }, "Only an example");
      expectEqual("offer was open", open !== undefined, true);
      return say("Offered and withdrawn: without SVC_PARTNER_KEY nobody can accept");
    }
    try {
      await partner.change("set_event_primary_host", offer, "We accept");
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

/** A hand-over cannot be reverted, because two organizations agree on it: it is made in the other direction. */
async function giveBack(partner: AgentClient, former: AgentClient, event_id: string, host: string): Promise<void> {
  const back = { event_id, organization_id: host };
  await partner.change("set_event_primary_host", back, "End of the example");
  await former.change("set_event_primary_host", back, "End of the example");
}
