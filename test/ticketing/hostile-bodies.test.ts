import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { myTicketType, theirTicketType, useHostileClient } from "./support/use-hostile-client.js";

const client = useHostileClient();

describe("hostile bodies", () => {
  const add = '"guests":[{"email":"a@example.com"}]';
  const attacks: [string, string][] = [
    ["event/add-guests", `{"event_id":"MINE","event_id":"THEIRS",${add}}`],
    ["event/add-guests", `{"event_id":"THEIRS","event_id":"MINE",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","event\\u005fid":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","event_api_id":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","Event_Id":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","eventId":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","event_id ":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","ｅvent_id":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":["MINE","THEIRS"],${add}}`],
    ["event/add-guests", `{"event_id":["MINE"],${add}}`],
    ["event/add-guests", `{"event_id":{"id":"MINE"},${add}}`],
    ["event/add-guests", `{"event_id":null,${add}}`],
    ["event/add-guests", `{"event_id":"MINE","id":"THEIREVT",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","id":"THEIRUPPERCASE",${add}}`],
    ["event/add-guests", `{"event_id":"THEIRUPPERCASE",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a@example.com","name":"THEIRUPPERCASE"}]}`],
    ["event/add-guests", `{"event_id":"MINE","event":{"api_id":"THEIREVT"},${add}}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a@example.com","event_id":"THEIREVT"}]}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a@example.com","event_api_id":"x"}]}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a","email":"b"}]}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"ticket":{"event_ticket_type_id":"THEIRTYPE"}}`],
    [
      "event/add-guests",
      `{"event_id":"MINE",${add},"tickets":[{"event_ticket_type_id":"MYTYPE"},{"event_ticket_type_id":"THEIRTYPE"}]}`,
    ],
    ["event/add-guests", `{"event_id":"MINE",${add},"ticket":{"Event_Ticket_Type_Id":"THEIRTYPE"}}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"ticket":{"id":"THEIRTYPE"}}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"ticket":"THEIRTYPE"}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"__proto__":{"event_id":"THEIREVT"}}`],
    ["event/add-guests", `[{"event_id":"MINE",${add}}]`],
    ["event/add-guests", `"MINE"`],
    ["event/add-guests", `{"event_id":"MINE",${add}} {"event_id":"THEIRS"}`],
    ["event/add-guests", `\ufeff{"event_id":"MINE",${add}}`],
    ["event/add-guests", `{"event_id":"MINE",${add},}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"n":1e999}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"n":9007199254740993}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"text":"\\u0000"}`],
    ["event/add-guests", `{"event_id":"MINE",${add},"text":"\\ud800"}`],
    ["event/add-guests", `{"event_id":"MINE","deep":${"[".repeat(100)}${"]".repeat(100)}}`],
    ["event/add-guests", `event_id=MINE&event_id=THEIRS`],
    ["event/add-guests", ``],
    ["event/add-guests?event_id=THEIRS", `{"event_id":"MINE",${add}}`],
    ["event/add-guests?event_id=MINE", `{"event_id":"MINE",${add}}`],
    ["event/add-guests?Event_Api_Id=THEIREVT", `{"event_id":"MINE",${add}}`],
    ["event/add-guests?event_id=MINE", `{${add}}`],
    ["event/ticket-types/update", `{"event_id":"MINE","event_ticket_type_id":"THEIRTYPE","name":"x"}`],
    ["event/ticket-types/update", `{"event_id":"MINE","event_ticket_type_id":["MYTYPE","THEIRTYPE"]}`],
    [
      "event/ticket-types/update",
      `{"event_id":"MINE","event_ticket_type_id":"MYTYPE","Event_Ticket_Type_Id":"THEIRTYPE"}`,
    ],
    [
      "event/ticket-types/update",
      `{"event_id":"MINE","event_ticket_type_id":"MYTYPE","event_ticket_type_id":"THEIRTYPE"}`,
    ],
    ["event/ticket-types/update", `{"event_id":"MINE","event_ticket_type_id":"MYTYPE","id":"THEIRTYPE"}`],
    ["event/ticket-types/delete", `{"event_id":"MINE","event_ticket_type_id":"MYTYPE","Api_Id":"THEIRTYPE"}`],
    ["event/ticket-types/update", `{"event_id":"THEIRS","event_ticket_type_id":"THEIRTYPE"}`],
    ["event/ticket-types/update", `{"event_ticket_type_id":"MYTYPE"}`],
    ["event/ticket-types/delete", `{"event_id":"MINE","event_ticket_type_id":"THEIRTYPE"}`],
    ["event/ticket-types/delete", `{"event_id":"MINE"}`],
    ["event/ticket-types/delete?event_ticket_type_id=THEIRTYPE", `{"event_id":"MINE","event_ticket_type_id":"MYTYPE"}`],
  ];

  it.each(attacks)("POST %s %s", async (path, body) => {
    const reply = await client.proxy.call(client.fill(path), {
      key: client.key,
      method: "POST",
      body: client.fill(body),
    });
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    expect(reply.status, reply.text).toBeLessThan(500);
    // Only the lookup of the caller's own ticket types may be sent.
    expect(client.upstream.received.filter(({ path: sent }) => !sent.endsWith("/ticket-types/list"))).toEqual([]);
    client.expectNothingOfTheirs();
  });

  it("sends a body built from the parsed fields, not the received bytes", async () => {
    const text = `  {"guests" : [{"email":"a@example.com"}],\n "event_id":"${client.mine.id}", "send_email": false}  `;
    expect((await client.proxy.call("event/add-guests", { key: client.key, method: "POST", body: text })).status).toBe(
      200,
    );
    expect(client.upstream.received[0]?.body).toBe(
      `{"event_id":"${client.mine.ticketingId}","guests":[{"email":"a@example.com"}],"send_email":false}`,
    );
  });

  it("accepts only uncompressed JSON in UTF-8, up to 256 KiB", async () => {
    const body = JSON.stringify({ event_id: client.mine.id, guests: [] });
    const post = (headers: Record<string, string>, text: string | Buffer = body) =>
      fetch(`${client.proxy.url}/api/ticketing/event/add-guests`, {
        method: "POST",
        headers: { authorization: `Bearer ${client.key}`, "content-type": "application/json", ...headers },
        body: text,
      }).then(({ status }) => status);
    expect(await post({ "content-type": "text/plain" })).toBe(415);
    expect(await post({ "content-type": "application/x-www-form-urlencoded" })).toBe(415);
    expect(await post({ "content-type": "application/json; charset=utf-16" })).toBe(415);
    expect(await post({ "content-type": "application/json, text/plain" })).toBe(415);
    expect(await post({ "content-encoding": "gzip" })).toBe(415);
    expect(await post({}, Buffer.from([0x22, 0xff, 0x22]))).toBe(400);
    expect(await post({}, JSON.stringify({ event_id: client.mine.id, pad: "x".repeat(256 * 1024) }))).toBe(413);
    // 5,000 values in all: the id, the list and what it has.
    expect(await post({}, JSON.stringify({ event_id: client.mine.id, pad: Array(4_999).fill(1) }))).toBe(400);
    expect(client.upstream.received).toEqual([]);
    expect(await post({}, JSON.stringify({ event_id: client.mine.id, pad: "x".repeat(250 * 1024) }))).toBe(200);
    expect(await post({}, JSON.stringify({ event_id: client.mine.id, pad: Array(4_998).fill(1) }))).toBe(200);
    expect(await post({ "content-type": "application/json;charset=UTF-8" })).toBe(200);
  });

  it("accepts the fields of a DELETE in the query or in the body, not in both", async () => {
    const fields = { event_id: client.mine.id, event_ticket_type_id: myTicketType };
    const query = new URLSearchParams(fields);
    expect((await client.proxy.call(`event/ticket-types?${query}`, { key: client.key, method: "DELETE" })).status).toBe(
      200,
    );
    expect(client.upstream.received.at(-1)).toMatchObject({
      target: "/v1/event/ticket-types/delete",
      body: JSON.stringify({ event_ticket_type_id: myTicketType }),
    });
    const sent = client.upstream.received.length;
    expect(
      (await client.proxy.call(`event/ticket-types?${query}`, { key: client.key, method: "DELETE", body: fields }))
        .status,
    ).toBe(400);
    const theirQuery = new URLSearchParams({ ...fields, event_ticket_type_id: theirTicketType });
    expect(
      (await client.proxy.call(`event/ticket-types?${theirQuery}`, { key: client.key, method: "DELETE" })).status,
    ).toBe(404);
    expect(client.upstream.received.slice(sent).map(({ path }) => path)).toEqual(["/v1/event/ticket-types/list"]);
    client.expectNothingOfTheirs();
  });
});

describe("an event's UUID in another field", () => {
  const refusal = (field: string) => ({
    code: "invalid_input",
    field,
    error: `${field}: expected no event id here; give the event once, as event_id`,
  });

  it.each([
    ["mine", (id: string) => id],
    ["in capitals", (id: string) => id.toUpperCase()],
  ])("is refused with the field that has it: %s", async (_what, spelled) => {
    const body = { event_id: client.mine.id, guests: [{ email: "a@example.com" }, { note: spelled(client.mine.id) }] };
    const written = await client.proxy.call("event/add-guests", { key: client.key, method: "POST", body });
    expect([written.status, written.json]).toEqual([400, expect.objectContaining(refusal("guests[1].note"))]);
    const read = await client.proxy.call(
      `event/get-guests?event_id=${client.mine.id}&pagination_cursor=${spelled(client.mine.id)}`,
      { key: client.key },
    );
    expect([read.status, read.json]).toEqual([400, expect.objectContaining(refusal("pagination_cursor"))]);
    expect(client.upstream.received).toEqual([]);
  });

  it("is forwarded like any other UUID if the organization does not host the event, so that nobody can probe for it", async () => {
    for (const uuid of [client.theirs.id, randomUUID()]) {
      const sent = client.upstream.received.length;
      const body = { event_id: client.mine.id, guests: [{ email: "a@example.com", name: uuid }] };
      const written = await client.proxy.call("event/add-guests", { key: client.key, method: "POST", body });
      const read = await client.proxy.call(`event/get-guest?event_id=${client.mine.id}&id=${uuid}`, {
        key: client.key,
      });
      expect([written.status, read.status]).toEqual([200, 200]);
      const events = client.upstream.received.slice(sent).map((one) => `${one.body}${one.target}`);
      for (const text of events) expect(text).toContain(client.mine.ticketingId);
    }
  });

  it("is looked for after the hosting check", async () => {
    const body = { event_id: client.theirs.id, guests: [{ email: "a@example.com", name: client.mine.id }] };
    expect((await client.proxy.call("event/add-guests", { key: client.key, method: "POST", body })).status).toBe(403);
  });
});
