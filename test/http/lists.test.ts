import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Make, makerOn } from "../support/make.js";
import { type Service, startService } from "../support/service.js";

let service: Service;
let make: Make;

beforeAll(async () => {
  service = await startService();
  make = makerOn(service.db);
});
afterAll(() => service.close());

describe("smoke", () => {
  it("works", async () => {
    const conference = await make.conference();
    const organization = await make.organization();
    const event = await make.event(conference, { hosts: [organization] });
    const poster = await make.poster(event);
    const keys = [await make.superAdminKey(), await make.conferenceKey(conference), await make.organizationKey(organization)];
    for (const key of keys) {
      for (const path of ["ping", "conferences", `conferences/${conference}/events`, "posters", `events/${event}/posters`, `posters/${poster}`]) {
        const reply = await service.call(`/api/svc/${path}`, { key });
        console.log(reply.status, reply.text.slice(0, 200));
        expect(reply.status).toBe(200);
      }
      const reply = await service.call(`/api/svc/posters/${poster}`, { key, body: { posted_urls: { x: "https://x.example/1" } } });
      console.log(reply.status, reply.text);
    }
    console.log((await service.call("/api/svc")).text);
    console.log((await service.call("/openapi.json")).text.slice(0, 6000));
  });
});
