import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildDemoDocument } from "../../demo/build-document.js";
import { buildTicketingSeed } from "../../demo/ticketing-seed.js";
import { startTestSandbox } from "./support/sandbox.js";
import { event, other } from "./support/sandbox-events.js";

const inEvent = { event_id: event.id };

describe("sandbox state", () => {
  it("survives restarts, except for an incomplete last line", async () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-sandbox-"));
    const file = join(folder, "deep", "state.jsonl");
    try {
      const first = await startTestSandbox({ events: [event] }, { file });
      await first.post("event/add-guests", { ...inEvent, guests: [{ email: "kept@example.com" }] });
      const { ticket_types: types } = (await first.get("event/ticket-types/list", inEvent)).json;
      await first.post("event/create-coupon", {
        ...inEvent,
        code: "KEPT",
        discount: { discount_type: "percent", percent_off: 5 },
      });
      const before = [(await first.get("event/get-guests", inEvent)).text, await first.outbox()];
      await first.close();
      appendFileSync(file, '[{"kind":"mail","mail":{"id":"cut');
      const second = await startTestSandbox({ events: [event, other] }, { file });
      expect([(await second.get("event/get-guests", inEvent)).text, await second.outbox()]).toEqual(before);
      expect((await second.get("event/ticket-types/list", inEvent)).json.ticket_types).toEqual(types);
      expect((await second.get("event/coupons", inEvent)).json.entries).toHaveLength(2);
      expect((await second.get("event/get", { id: "evt-Other" })).status).toBe(200);
      await second.close();
      expect(readFileSync(file, "utf8")).not.toContain('"cut');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("demo seed", () => {
  it("contains every linked event with guests, ticket types and coupons", async () => {
    const now = new Date("2030-01-01T00:00:00Z");
    const document = buildDemoDocument({ baseUrl: "", now });
    const demo = await startTestSandbox(buildTicketingSeed(now));
    try {
      const linked = document.events.filter(({ ticketing_event_id }) => ticketing_event_id);
      expect(linked.length).toBeGreaterThan(20);
      const checkEvent = async ({ ticketing_event_id, name }: (typeof linked)[number]) => {
        const fields = { event_id: String(ticketing_event_id) };
        expect((await demo.get("event/get", { id: fields.event_id })).json.event.name).toBe(name);
        expect((await demo.get("event/get-guests", fields)).json.entries.length).toBeGreaterThan(0);
        expect((await demo.get("event/ticket-types/list", fields)).json.ticket_types.length).toBeGreaterThan(0);
        expect((await demo.get("event/coupons", fields)).json.entries.length).toBeGreaterThan(0);
      };
      await Promise.all(linked.map(checkEvent));
    } finally {
      await demo.close();
    }
  });
});
