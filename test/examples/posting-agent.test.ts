import { appendFile, rm } from "node:fs/promises";
import { join } from "node:path";
import sql from "sql-template-tag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listStoredPosts, startStandInNetwork } from "../../examples/stand-in-network.js";
import { type Make, makerOn } from "../support/make.js";
import { type Service, startService } from "../support/service.js";
import {
  type AgentRun,
  addPostersToLeaveAlone,
  networkFolder,
  removeState,
  reportedLinks,
  runAgent,
  type Stage,
  setStage,
  startAgent,
  storedHashes,
} from "./agent-stage.js";
import { type Passing, startTappedProxy, type Tap, type TappedProxy } from "./tapped-proxy.js";

let service: Service;
let make: Make;
const cleanups: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
});
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  await service.close();
});

async function stageWith(count: number): Promise<Stage> {
  const stage = await setStage(service, make, count);
  cleanups.push(() => removeState(stage));
  return stage;
}

async function proxyTo(target: string, tap: Tap = {}): Promise<TappedProxy> {
  const proxy = await startTappedProxy(target, tap);
  cleanups.push(proxy.close);
  return proxy;
}

async function expectAllPostedOnce(stage: Stage): Promise<void> {
  expect(await storedHashes(networkFolder(stage))).toEqual(stage.posters.map(({ hash }) => hash).sort());
  const links = await reportedLinks(service, stage);
  expect(new Set(links).size).toBe(stage.posters.length);
  for (const link of links) expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/stand-in\/[0-9a-f]{24}$/);
}

describe("a full run", () => {
  it("posts every published poster once, page by page, reports the links, and has nothing to do the next time", async () => {
    const stage = await stageWith(5);
    await addPostersToLeaveAlone(service, make, stage, "stand-in");
    const proxy = await proxyTo(service.url);
    const first = await runAgent(stage, proxy.url, ["--page-size", "2"]);
    expect(first.stderr).toBe("");
    expect(first.code).toBe(0);
    expect(first.json.summary).toMatchObject({
      conferences: 1,
      events: 3,
      posters: 6,
      posted: 5,
      skipped: 1,
      failed: 0,
    });
    await expectAllPostedOnce(stage);
    const pages = proxy.seen.filter(({ path }) => path.startsWith("/api/svc/posters?"));
    expect(pages.length).toBe(3);
    expect(pages.every(({ path }) => path.includes("limit=2") && path.includes("published=true"))).toBe(true);

    const second = await runAgent(stage, proxy.url);
    expect(second.code).toBe(0);
    expect(second.json.summary).toMatchObject({ posted: 0, linked: 0, skipped: 6 });
    expect(proxy.seen.filter(({ method }) => method === "PATCH").length).toBe(5);
  });

  it("puts event, local time, venue, metadata and alternative text into the post, and the post can be opened", async () => {
    const stage = await stageWith(1);
    const metadata = {
      caption_ideas: ["Agents after dark <3"],
      hashtags: ["#Agents", "Night Out", 7],
      alt_text: "A moon over a piano",
      speakers: [{ name: "Ada Example" }, "Bo Example", null],
    };
    await service.db.query(
      sql`update posters set metadata = ${JSON.stringify(metadata)} where id = ${stage.posters[0]?.id}`,
    );
    await runAgent(stage, service.url);
    const [post] = await listStoredPosts(networkFolder(stage));
    expect(post?.alt_text).toBe("A moon over a piano");
    expect(post?.caption.split("\n")).toEqual([
      "Agents after dark <3",
      "Night of Agents · Test Conference",
      "🎤 Ada Example and Bo Example",
      expect.stringMatching(/^📅 Thursday, May 1, 2031.* 7:00 – 9:00 PM GMT\+1$/),
      "📍 Casa da Música, Avenida da Boavista 604",
      "#Agents #NightOut",
    ]);
    const network = await startStandInNetwork(networkFolder(stage), 0);
    cleanups.push(network.close);
    const path = new URL((await reportedLinks(service, stage))[0] ?? "").pathname;
    const page = await (await fetch(network.url + path)).text();
    expect(page).toContain("Agents after dark &lt;3");
    const image = await fetch(`${network.url}/images/${post?.image}`);
    expect(image.headers.get("content-type")).toBe("image/png");
    expect((await image.arrayBuffer()).byteLength).toBe(post?.bytes);
  });

  it("works with every tier of key, one conference at a time or up to a maximum", async () => {
    const stage = await stageWith(3);
    const organizationKey = await make.organizationKey(stage.organization, {
      scopes: ["conferences:read", "events:write"],
    });
    const one = await runAgent(stage, service.url, ["--max", "1"], organizationKey);
    expect([one.code, one.json.summary.posted, one.json.stopped]).toEqual([0, 1, "--max 1 is reached"]);
    const rest = await runAgent(
      stage,
      service.url,
      ["--conference", stage.conference.slug],
      await make.superAdminKey(),
    );
    expect(rest.json.summary).toMatchObject({ conferences: 1, posted: 2, skipped: 1 });
    await expectAllPostedOnce(stage);
  });

  it("names a poster whose image cannot be posted, and posts the others", async () => {
    const stage = await stageWith(3);
    await service.db.query(sql`
      update posters set image_url = ${`${service.url}/api/svc`} where id = ${stage.posters[1]?.id}`);
    const { code, json } = await runAgent(stage, service.url);
    expect(code).toBe(1);
    expect(json.summary).toMatchObject({ posted: 2, failed: 1 });
    expect(json.posters[1]).toMatchObject({ poster_id: stage.posters[1]?.id, outcome: "failed" });
    expect(json.posters[1].problem).toContain("application/json");
  });
});

describe("after kill -9", () => {
  const isDownload = ({ path }: Passing) => path.startsWith("/images/");
  const isUpload = ({ method }: Passing) => method === "POST";
  const isPatch = ({ method }: Passing) => method === "PATCH";
  const moments: [string, "before" | "after", (passing: Passing) => boolean][] = [
    ["while an image is on its way", "after", isDownload],
    ["when the network has not got the upload yet", "before", isUpload],
    ["when the network has stored the post and not answered yet", "after", isUpload],
    ["when the service has not got the link yet", "before", isPatch],
    ["when the service has stored the link and not answered yet", "after", isPatch],
  ];

  it.each(moments)("%s, the next run posts what is missing and nothing twice", async (_, side, matches) => {
    const stage = await stageWith(4);
    const standIn = await startStandInNetwork(networkFolder(stage), 0);
    cleanups.push(standIn.close);
    const running: { agent?: AgentRun } = {};
    let passed = 0;
    const killAtSecond = async (passing: Passing) => {
      if (!matches(passing) || ++passed !== 2) return undefined;
      await running.agent?.kill();
      return "cut" as const;
    };
    const tap: Tap =
      side === "before" ? { before: killAtSecond } : { after: async (passing) => void (await killAtSecond(passing)) };
    const front = await proxyTo(service.url, tap);
    const network = await proxyTo(standIn.url, tap);
    await service.db.query(sql`
      update posters set image_url = replace(image_url, ${service.url}, ${front.url})
      where conference_id = ${stage.conference.id}`);

    running.agent = startAgent(stage, front.url, ["--network", network.url]);
    expect((await running.agent.finished).code).toBe(null);
    const resumed = await runAgent(stage, front.url, ["--network", network.url]);
    expect(resumed.code).toBe(0);
    await expectAllPostedOnce(stage);
    // Only an upload that the kill itself cut off is sent again.
    expect(network.seen.filter(isUpload).length).toBe(side === "before" && matches === isUpload ? 5 : 4);
  });

  it("at any moments, again and again, with a journal whose last line is torn", async () => {
    const stage = await stageWith(12);
    const front = await proxyTo(service.url);
    let kills = 0;
    for (const posts of [1, 3, 4, 7, 10]) {
      const agent = startAgent(stage, front.url);
      while (agent.child.exitCode === null && (await countPosts(stage)) < posts) await new Promise(setImmediate);
      await agent.kill();
      await appendFile(join(stage.state, "journal.jsonl"), '{"at":"2031-05-01T');
      kills += 1;
    }
    const last = await runAgent(stage, front.url);
    expect(kills).toBe(5);
    expect(last.code).toBe(0);
    expect(last.json.summary.posted).toBeLessThanOrEqual(2);
    await expectAllPostedOnce(stage);
  });

  async function countPosts(stage: Stage): Promise<number> {
    return (await listStoredPosts(networkFolder(stage)).catch(() => [])).length;
  }

  it.each([false, true])(
    "a link that was removed is reported again, not posted again (journal lost: %s)",
    async (lost) => {
      const stage = await stageWith(2);
      await runAgent(stage, service.url);
      await service.db.query(sql`update posters set posted_urls = null where conference_id = ${stage.conference.id}`);
      if (lost) await rm(join(stage.state, "journal.jsonl"));
      const { json } = await runAgent(stage, service.url);
      expect(json.summary).toMatchObject({ posted: 0, linked: 2 });
      await expectAllPostedOnce(stage);
    },
  );
});
