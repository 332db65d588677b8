import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { listStoredPosts, startStandInNetwork } from "../../examples/stand-in-network.js";
import {
  type AgentFixture,
  type AgentRun,
  networkFolder,
  runAgent,
  startAgent,
  usePostingAgent,
} from "./agent-setup.js";
import type { Interceptor, ProxiedRequest } from "./intercepting-proxy.js";

const { service, db, cleanups, createFixture, proxyTo, expectAllPostedOnce } = usePostingAgent();

describe("after kill -9", () => {
  const isDownload = ({ path }: ProxiedRequest) => path.startsWith("/images/");
  const isUpload = ({ method }: ProxiedRequest) => method === "POST";
  const isPatch = ({ method }: ProxiedRequest) => method === "PATCH";
  const crashes: [string, "before" | "after", (request: ProxiedRequest) => boolean][] = [
    ["while an image is being downloaded", "after", isDownload],
    ["before the network has received the upload", "before", isUpload],
    ["after the network has stored the post, before it responds", "after", isUpload],
    ["before the service has received the link", "before", isPatch],
    ["after the service has stored the link, before it responds", "after", isPatch],
  ];

  it.each(crashes)("%s: the next run posts what is missing and nothing twice", async (_, side, matches) => {
    const fixture = await createFixture(4);
    const standIn = await startStandInNetwork(networkFolder(fixture), 0);
    cleanups.push(standIn.close);
    const running: { agent?: AgentRun } = {};
    let matched = 0;
    const killAtSecond = async (request: ProxiedRequest) => {
      if (!matches(request) || ++matched !== 2) return undefined;
      await running.agent?.kill();
      return "disconnect" as const;
    };
    const interceptor: Interceptor =
      side === "before" ? { before: killAtSecond } : { after: async (request) => void (await killAtSecond(request)) };
    const front = await proxyTo(service.url, interceptor);
    const network = await proxyTo(standIn.url, interceptor);
    await db.query(sql`
      update posters set image_url = replace(image_url, ${service.url}, ${front.url})
      where conference_id = ${fixture.conference.id}`);

    running.agent = startAgent(fixture, front.url, ["--network", network.url]);
    expect((await running.agent.finished).code).toBe(null);
    const resumed = await runAgent(fixture, front.url, ["--network", network.url]);
    expect(resumed.code).toBe(0);
    await expectAllPostedOnce(fixture);
    // Only an upload that the kill interrupted is sent again.
    expect(network.requests.filter(isUpload).length).toBe(side === "before" && matches === isUpload ? 5 : 4);
  });

  it("at several points in a row, with a journal whose last line is incomplete", async () => {
    const fixture = await createFixture(8);
    const front = await proxyTo(service.url);
    for (const posts of [1, 4, 6]) {
      const agent = startAgent(fixture, front.url);
      while (agent.child.exitCode === null && (await countPosts(fixture)) < posts) await new Promise(setImmediate);
      await agent.kill();
      await appendFile(join(fixture.state, "journal.jsonl"), '{"at":"2031-05-01T');
    }
    const last = await runAgent(fixture, front.url);
    expect(last.code).toBe(0);
    expect(last.json.summary.posted).toBeLessThanOrEqual(2);
    await expectAllPostedOnce(fixture);
  });

  async function countPosts(fixture: AgentFixture): Promise<number> {
    return (await listStoredPosts(networkFolder(fixture)).catch(() => [])).length;
  }
});
