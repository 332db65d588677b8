import { describe, expect, it } from "vitest";
import {
  expectNothingOfTheirs,
  fill,
  key,
  mine,
  myTicketType,
  proxy,
  theirTicketType,
  upstream,
} from "./support/hostile-setup.js";

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
    ["event/add-guests", `{"event_id":"MINE","id":"THEIRS",${add}}`],
    ["event/add-guests", `{"event_id":"MINE","guests":[{"email":"a@example.com","name":"THEIRS"}]}`],
    ["event/add-guests", `{"event_id":["MINE"],${add}}`],
    ["event/add-guests", `{"event_id":{"id":"MINE"},${add}}`],
    ["event/add-guests", `{"event_id":null,${add}}`],
    ["event/add-guests", `{"event_id":"MINE","id":"THEIREVT",${add}}`],
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
    ["event/add-guests", `{"event_id":"MINE",${add},"n":12345678901234567890}`],
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
    ["event/ticket-types/update", `{"event_id":"THEIRS","event_ticket_type_id":"THEIRTYPE"}`],
    ["event/ticket-types/update", `{"event_ticket_type_id":"MYTYPE"}`],
    ["event/ticket-types/delete", `{"event_id":"MINE","event_ticket_type_id":"THEIRTYPE"}`],
    ["event/ticket-types/delete", `{"event_id":"MINE"}`],
    ["event/ticket-types/delete?event_ticket_type_id=THEIRTYPE", `{"event_id":"MINE","event_ticket_type_id":"MYTYPE"}`],
  ];

  it.each(attacks)("POST %s %s", async (path, body) => {
    const reply = await proxy.call(fill(path), { key, method: "POST", body: fill(body) });
    expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
    expect(reply.status, reply.text).toBeLessThan(500);
    // Only the lookup of the caller's own ticket types may be sent.
    expect(upstream.received.filter(({ path: sent }) => !sent.endsWith("/ticket-types/list"))).toEqual([]);
    expectNothingOfTheirs();
  });

  it("sends a body built from the parsed fields, not the received bytes", async () => {
    const text = `  {"guests" : [{"email":"a@example.com"}],\n "event_id":"${mine.id}", "send_email": false}  `;
    expect((await proxy.call("event/add-guests", { key, method: "POST", body: text })).status).toBe(200);
    expect(upstream.received[0]?.body).toBe(
      `{"event_id":"${mine.ticketingId}","guests":[{"email":"a@example.com"}],"send_email":false}`,
    );
  });

  it("accepts only uncompressed JSON in UTF-8, up to 1 MiB", async () => {
    const body = JSON.stringify({ event_id: mine.id, guests: [] });
    const post = (headers: Record<string, string>, text: string | Buffer = body) =>
      fetch(`${proxy.url}/api/ticketing/event/add-guests`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: text,
      }).then(({ status }) => status);
    expect(await post({ "content-type": "text/plain" })).toBe(415);
    expect(await post({ "content-type": "application/x-www-form-urlencoded" })).toBe(415);
    expect(await post({ "content-type": "application/json; charset=utf-16" })).toBe(415);
    expect(await post({ "content-type": "application/json, text/plain" })).toBe(415);
    expect(await post({ "content-encoding": "gzip" })).toBe(415);
    expect(await post({}, Buffer.from([0x22, 0xff, 0x22]))).toBe(400);
    expect(await post({}, JSON.stringify({ event_id: mine.id, pad: "x".repeat(1024 * 1024) }))).toBe(413);
    expect(upstream.received).toEqual([]);
    expect(await post({}, JSON.stringify({ event_id: mine.id, pad: "x".repeat(1000 * 1024) }))).toBe(200);
    expect(await post({ "content-type": "application/json;charset=UTF-8" })).toBe(200);
  });

  it("accepts the fields of a DELETE in the query or in the body, not in both", async () => {
    const fields = { event_id: mine.id, event_ticket_type_id: myTicketType };
    const query = new URLSearchParams(fields);
    expect((await proxy.call(`event/ticket-types?${query}`, { key, method: "DELETE" })).status).toBe(200);
    expect(upstream.received.at(-1)).toMatchObject({
      target: "/v1/event/ticket-types/delete",
      body: JSON.stringify({ event_ticket_type_id: myTicketType }),
    });
    const sent = upstream.received.length;
    expect((await proxy.call(`event/ticket-types?${query}`, { key, method: "DELETE", body: fields })).status).toBe(400);
    const theirQuery = new URLSearchParams({ ...fields, event_ticket_type_id: theirTicketType });
    expect((await proxy.call(`event/ticket-types?${theirQuery}`, { key, method: "DELETE" })).status).toBe(404);
    expect(upstream.received.slice(sent).map(({ path }) => path)).toEqual(["/v1/event/ticket-types/list"]);
    expectNothingOfTheirs();
  });
});
