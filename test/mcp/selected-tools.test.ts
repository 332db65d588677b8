import { beforeAll, describe, expect, it } from "vitest";
import { tools } from "../../src/registry.js";
import { startService } from "../support/service.js";
import { useService } from "../support/setup.js";
import { legacy } from "./messages.js";

const { service, make } = useService();
let key: string;
let eventId: string;

beforeAll(async () => {
  const organization = await make.organization();
  eventId = await make.event(await make.conference(), { hosts: [organization] });
  key = await make.organizationKey(organization);
});

const send = (query: string, method: string, params: object = {}, withKey = key) =>
  service.call(`/api/mcp${query}`, { method: "POST", body: legacy(method, { ...params }), key: withKey });

const namesOf = async (query: string, withKey = key) => {
  const { json } = await send(query, "tools/list", {}, withKey);
  return json.result.tools.map(({ name }: { name: string }) => name);
};

const all = tools.map(({ name }) => name);
const inGroup = (group: string) => tools.filter((tool) => tool.group === group).map(({ name }) => name);

describe("?tools=", () => {
  it.each([
    ["", all],
    ["?tools=", all],
    ["?tools=*", all],
    ["?tools=speakers", inGroup("speakers")],
    ["?tools=add_event_speaker,get_event_admin_snapshot", ["get_event_admin_snapshot", "add_event_speaker"]],
    ["?tools=speakers&tools=%20list_changes%20", [...inGroup("speakers"), "list_changes"]],
  ])("%s lists those tools, in the order of the whole list", async (query, expected) => {
    expect(await namesOf(query)).toEqual(all.filter((name) => expected.includes(name)));
  });

  it("selects for one request only", async () => {
    expect(await namesOf("?tools=speakers")).toEqual(inGroup("speakers"));
    expect(await namesOf("")).toEqual(all);
  });

  it("reveals nothing that the key lacks", async () => {
    const organization = await make.organization();
    const reader = await make.organizationKey(organization, { scopes: ["org:read"] });
    expect(await namesOf("?tools=organization", reader)).toEqual(["get_organization_admin_snapshot", "list_changes"]);
  });

  it("reveals nothing that the deployment leaves out", async () => {
    const deployment = await startService({ mcpTools: ["speakers"] });
    const query = "?tools=speakers,get_event_host_snapshot";
    const { json } = await deployment.call(`/api/mcp${query}`, { method: "POST", body: legacy("tools/list", {}), key });
    expect(json.result.tools.map(({ name }: { name: string }) => name)).toEqual(inGroup("speakers"));
    await deployment.close();
  });

  it("makes other tools unknown, and prompts that need them", async () => {
    const get = { name: "get_event_host_snapshot", arguments: { event_id: eventId } };
    const refused = await send("?tools=speakers", "tools/call", get);
    expect(refused.json.error.message).toBe("Unknown tool: get_event_host_snapshot");
    const allowed = await send("?tools=event_management", "tools/call", get);
    expect(allowed.json.result.isError).toBeUndefined();
    const prompts = async (query: string) => (await send(query, "prompts/list")).json.result.prompts.length;
    expect([await prompts("?tools=speakers"), (await prompts("")) > 0]).toEqual([0, true]);
  });

  it.each(["initialize", "tools/list"])("refuses unknown names, with those that exist: %s", async (method) => {
    const { status, json } = await send("?tools=speakers,guests", method);
    expect(status).toBe(400);
    expect(json).toMatchObject({ id: 1, error: { code: -32602 } });
    expect(json.error.message).toMatch(/^tools: unknown entry: guests; expected .*groups \(organization, /);
  });
});
