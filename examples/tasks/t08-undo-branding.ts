import { expectEqual, type Task } from "./task.js";

export const undoBranding: Task = {
  id: "T8",
  title: "Change the branding, list today's changes, undo it",
  goal: { calls: 6 },
  async run({ agent, checker, say }) {
    const today = `${new Date().toISOString().slice(0, 10)}T00:00:00Z`;
    const colorsNow = async () => {
      const { organization } = await checker.call("get_organization_admin_snapshot", { limit: 1 });
      return [organization.brand_primary_color, organization.brand_secondary_color];
    };
    const before = await colorsNow();
    const colors = { brand_primary_color: "#4B2E83", brand_secondary_color: "#B7A57A" };
    const { committed } = await agent.change("update_organization_branding", colors, "The spring campaign");
    expectEqual("colours after the change", await colorsNow(), Object.values(colors));

    const { items } = await agent.call("list_changes", { since: today });
    for (const { at, by, tool, reason } of items) say(`  ${at} ${by}: ${tool}, “${reason}”`);
    const mine = items.find(({ tool }: { tool: string }) => tool === "update_organization_branding");
    expectEqual("the newest change of the branding", mine?.id, committed?.record_id);

    await agent.change("revert_change", { record_id: committed?.record_id }, "The campaign was cancelled");
    expectEqual("colours at the end", await colorsNow(), before);
    say(`The colours are ${before.join(" and ")} again`);
  },
};
