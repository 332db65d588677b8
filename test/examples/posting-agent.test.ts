import { rm } from "node:fs/promises";
import { join } from "node:path";
import sql from "sql-template-tag";
import { describe, expect, it } from "vitest";
import { listStoredPosts, startStandInNetwork } from "../../examples/stand-in-network.js";
import { addPostersToSkip, networkFolder, reportedLinks, runAgent, usePostingAgent } from "./agent-setup.js";

const { service, db, make, cleanups, createFixture, proxyTo, expectAllPostedOnce } = usePostingAgent();

describe("a full run", () => {
  it("posts every published poster once, page by page, reports the links, and does nothing in the next run", async () => {
    const fixture = await createFixture(5);
    await addPostersToSkip(service, make, fixture, "stand-in");
    const proxy = await proxyTo(service.url);
    const first = await runAgent(fixture, proxy.url, ["--page-size", "2"]);
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
    await expectAllPostedOnce(fixture);
    const pages = proxy.requests.filter(({ path }) => path.startsWith("/api/svc/posters?"));
    expect(pages.length).toBe(3);
    expect(pages.every(({ path }) => path.includes("limit=2") && path.includes("published=true"))).toBe(true);

    const second = await runAgent(fixture, proxy.url);
    expect(second.code).toBe(0);
    expect(second.json.summary).toMatchObject({ posted: 0, linked: 0, skipped: 6 });
    expect(proxy.requests.filter(({ method }) => method === "PATCH").length).toBe(5);
  });

  it("includes event, local time, venue, metadata and alternative text in the post, which can be viewed", async () => {
    const fixture = await createFixture(1);
    const metadata = {
      caption_ideas: ["Agents after dark <3"],
      hashtags: ["#Agents", "Night Out", 7],
      alt_text: "A moon over a piano",
      speakers: [{ name: "Ada Example" }, "Bo Example", null],
    };
    await db.query(sql`update posters set metadata = ${JSON.stringify(metadata)} where id = ${fixture.posters[0]?.id}`);
    await runAgent(fixture, service.url);
    const [post] = await listStoredPosts(networkFolder(fixture));
    expect(post?.alt_text).toBe("A moon over a piano");
    expect(post?.caption.split("\n")).toEqual([
      "Agents after dark <3",
      "Night of Agents · Test Conference",
      "🎤 Ada Example and Bo Example",
      expect.stringMatching(/^📅 Thursday, May 1, 2031.* 7:00 – 9:00 PM GMT\+1$/),
      "📍 Casa da Música, Avenida da Boavista 604",
      "#Agents #NightOut",
    ]);
    const network = await startStandInNetwork(networkFolder(fixture), 0);
    cleanups.push(network.close);
    const path = new URL((await reportedLinks(service, fixture))[0] ?? "").pathname;
    const page = await (await fetch(network.url + path)).text();
    expect(page).toContain("Agents after dark &lt;3");
    const image = await fetch(`${network.url}/images/${post?.image}`);
    expect(image.headers.get("content-type")).toBe("image/png");
    expect((await image.arrayBuffer()).byteLength).toBe(post?.bytes);
  });

  it("works with every tier of key, for one conference and up to a maximum", async () => {
    const fixture = await createFixture(3);
    const organizationKey = await make.organizationKey(fixture.organization, {
      scopes: ["conferences:read", "events:write"],
    });
    const one = await runAgent(fixture, service.url, ["--max", "1"], organizationKey);
    expect([one.code, one.json.summary.posted, one.json.stopped]).toEqual([0, 1, "--max 1 reached"]);
    // What has a link already does not count.
    const another = await runAgent(fixture, service.url, ["--max", "1"], organizationKey);
    expect(another.json.summary).toMatchObject({ posted: 1, skipped: 1 });
    const rest = await runAgent(
      fixture,
      service.url,
      ["--conference", fixture.conference.slug],
      await make.superAdminKey(),
    );
    expect(rest.json.summary).toMatchObject({ conferences: 1, posted: 1, skipped: 2 });
    await expectAllPostedOnce(fixture);
  });

  it("reports a poster whose image cannot be posted, and posts the others", async () => {
    const fixture = await createFixture(3);
    await db.query(sql`
      update posters set image_url = ${`${service.url}/api/svc`} where id = ${fixture.posters[1]?.id}`);
    const { code, json } = await runAgent(fixture, service.url);
    expect(code).toBe(1);
    expect(json.summary).toMatchObject({ posted: 2, failed: 1 });
    expect(json.posters[1]).toMatchObject({ poster_id: fixture.posters[1]?.id, outcome: "failed" });
    expect(json.posters[1].problem).toContain("application/json");
  });

  it.each([false, true])("a removed link is reported again, not posted again (journal lost: %s)", async (lost) => {
    const fixture = await createFixture(2);
    await runAgent(fixture, service.url);
    await db.query(sql`update posters set posted_urls = null where conference_id = ${fixture.conference.id}`);
    if (lost) await rm(join(fixture.state, "journal.jsonl"));
    const { json } = await runAgent(fixture, service.url);
    expect(json.summary).toMatchObject({ posted: 0, linked: 2 });
    await expectAllPostedOnce(fixture);
  });
});
