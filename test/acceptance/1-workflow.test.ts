import sql from "sql-template-tag";
import { beforeAll, describe, expect, it } from "vitest";
import { type ConsoleService, startConsole } from "../console/support.js";
import { callTool } from "../mcp/messages.js";
import { publicUrl } from "../support/service.js";
import { useService } from "../support/setup.js";

// Section 1 of the specification: what the service does, and the workflow of a posting agent.

const { service, db, make } = useService(startConsole);
let organization: string;
let owner: string;
let key: string;
let conference: string;
let event: string;
let poster: string;
let draft: string;

beforeAll(async () => {
  organization = await make.organization();
  owner = await make.member(organization, "owner");
  key = await make.organizationKey(organization, { userId: owner });
  conference = await make.conference();
  event = await make.event(conference, { hosts: [organization] });
  poster = await make.poster(event);
  draft = await make.poster(event, { published: false });
  await db.query(sql`
    update posters set image_url = ${`/images/${await make.image()}`}, metadata = '{"style": "bold", "speakers": ["Ada"]}'
    where id = ${poster}`);
});

const get = async (path: string) => {
  const { status, json } = await service.call(`/api/svc/${path}`, { key });
  expect(status).toBe(200);
  return json;
};
const idsIn = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);

describe("1: the main workflow for a posting agent", () => {
  it("1. Validate the key with the ping endpoint", async () => {
    expect(await get("ping")).toMatchObject({ name: "test", organization_id: organization });
  });

  it("2. List conferences", async () => {
    expect(idsIn(await get("conferences"))).toEqual([conference]);
  });

  it("3. List events of a conference", async () => {
    expect(idsIn(await get(`conferences/${conference}/events`))).toEqual([event]);
  });

  it("4. List published posters", async () => {
    const published = idsIn(await get("posters?published=true"));
    expect(published).toContain(poster);
    expect(published).not.toContain(draft);
  });

  it("5. Download image_url of a poster", async () => {
    const { image_url } = await get(`posters/${poster}`);
    const reply = await fetch(image_url.replace(publicUrl, service.url));
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toBe("image/png");
    expect((await reply.arrayBuffer()).byteLength).toBeGreaterThan(0);
  });

  it("6. Use the poster metadata for caption context", async () => {
    expect((await get(`posters/${poster}`)).metadata).toEqual({ style: "bold", speakers: ["Ada"] });
  });

  it("7. Report the resulting URLs back with a PATCH on the poster (posted_urls)", async () => {
    const shared = await make.poster(event);
    const posted_urls = { instagram: "https://instagram.example/p/1", x: "https://x.example/1" };
    const reply = await service.call(`/api/svc/posters/${shared}`, { key, body: { posted_urls } });
    expect(reply.status).toBe(200);
    expect((await get(`posters/${shared}`)).posted_urls).toEqual(posted_urls);
  });

  it("Hosts see these links in their dashboard and can reshare them", async () => {
    const shared = await make.poster(event);
    const posted_urls = { bluesky: "https://bluesky.example/1" };
    await service.call(`/api/svc/posters/${shared}`, { key, body: { posted_urls } });
    const console = service as ConsoleService;
    const dashboard = await console.get(`organizations/${organization}/dashboard`, await console.signIn(owner));
    expect(dashboard.status).toBe(200);
    expect(dashboard.text).toContain(posted_urls.bluesky);
  });
});

describe("1: further rules", () => {
  it("Clients authenticate with a Bearer API key", async () => {
    expect((await service.call("/api/svc/ping")).status).toBe(401);
    expect((await service.call("/api/svc/ping", { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  });

  it("The key's tier decides which conferences, events and posters the client sees", async () => {
    const elsewhere = await make.conference();
    const other = await make.event(elsewhere);
    const hidden = await make.poster(other);
    const statuses = async (who: string) => {
      const paths = [`conferences/${elsewhere}/events`, `events/${other}/posters`, `posters/${hidden}`];
      return Promise.all(paths.map(async (path) => (await service.call(`/api/svc/${path}`, { key: who })).status));
    };
    expect(await statuses(await make.superAdminKey())).toEqual([200, 200, 200]);
    expect(await statuses(await make.conferenceKey(elsewhere))).toEqual([200, 200, 200]);
    expect(await statuses(await make.conferenceKey(conference))).toEqual([403, 403, 403]);
    expect(await statuses(key)).toEqual([403, 403, 403]);
  });

  it("Organization keys additionally reach the ticketing proxy and the MCP endpoint", async () => {
    const proxied = (who: string) => service.call("/api/ticketing/event/get", { key: who });
    expect((await proxied(await make.superAdminKey())).status).toBe(403);
    expect((await proxied(key)).status).not.toBe(403);
    const { result } = await callTool(service, key, "get_organization_admin_snapshot");
    expect(result.structuredContent.organization.id).toBe(organization);
  });

  it("A discovery endpoint returns the full API description as JSON without authentication", async () => {
    const reply = await service.call("/api/svc");
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    expect(reply.json.endpoints).toEqual(expect.any(Array));
  });

  it("Old marketing endpoints are removed and answer 410", async () => {
    expect((await service.call("/api/svc/marketing/content", { key })).status).toBe(410);
  });
});
