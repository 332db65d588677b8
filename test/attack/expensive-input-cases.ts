import { beforeAll } from "vitest";
import { legacy, post } from "../mcp/messages.js";
import type { Reply } from "../support/call.js";
import { type Service, startService } from "../support/service.js";
import { useService } from "../support/setup.js";

/** The configuration of a service whose platform is never reached: every request is refused first. */
const neverReached = {
  limits: { rest: 1_000_000, mcp: 1_000_000, ticketing: 1_000_000 },
  ticketing: { url: "http://127.0.0.1:9", apiKey: "unused" },
};

export const kibibyte = 1024;

/** Entries up to a size in bytes. */
function fill(bytes: number, entry: (index: number) => string): string {
  const parts: string[] = [];
  for (let size = 0; size < bytes; size += (parts.at(-1)?.length ?? 0) + 1) parts.push(entry(parts.length));
  return parts.join();
}

export const shapes: Record<string, (bytes: number) => string> = {
  "many keys": (bytes) => `{${fill(bytes, (n) => `"${n.toString(36)}":1`)}}`,
  "many repeated keys": (bytes) => `{${fill(bytes, () => '"a":1')}}`,
  "many numbers": (bytes) => `[${fill(bytes, () => "1")}]`,
  "many empty objects": (bytes) => `[${fill(bytes, () => "{}")}]`,
  "deep nesting": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "deep nesting that never ends": (bytes) => '{"a":'.repeat(bytes / 5),
  "a long number": (bytes) => "9".repeat(bytes),
  "a long string of escapes": (bytes) => `"${"\\u0000".repeat(bytes / 6)}"`,
  "a long key": (bytes) => `{"${"é".repeat(bytes / 2)}":1}`,
  "a text of links": (bytes) => `"${"/check-in/?pk".repeat(bytes / 13)}"`,
  "white space": (bytes) => `[${" ".repeat(bytes)}{}]`,
};

export const toolCall = (args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"update_organization_profile","arguments":${args}}}`;

type Target = { limitBytes: number; send(value: string): Promise<Reply>; accepted(): Promise<Reply> };

/** Filled in before the tests run. */
type Given = { service: Service; key: string; poster: string };

const targetsOf = (given: Given): Record<string, Target> => ({
  "a tool argument": {
    limitBytes: 392 * kibibyte,
    send: (value) => post(given.service, given.key, toolCall(`{"social_links":${value}}`)),
    accepted: () => post(given.service, given.key, legacy("ping", { padding: "x".repeat(391 * kibibyte) })),
  },
  "all tool arguments": {
    limitBytes: 392 * kibibyte,
    send: (value) => post(given.service, given.key, toolCall(value)),
    accepted: () => post(given.service, given.key, legacy("ping", { padding: "x".repeat(391 * kibibyte) })),
  },
  "a PATCH": {
    limitBytes: 64 * kibibyte,
    send: (value) =>
      given.service.call(`/api/svc/posters/${given.poster}`, { key: given.key, body: `{"posted_urls":${value}}` }),
    accepted: () => post(given.service, given.key, legacy("ping", { padding: "x".repeat(63 * kibibyte) })),
  },
  "a ticketing write": {
    limitBytes: 256 * kibibyte,
    send: (value) =>
      given.service.call("/api/ticketing/event/add-guests", {
        key: given.key,
        method: "POST",
        body: `{"event_id":"evt-unknown","guests":${value}}`,
      }),
    accepted: () => post(given.service, given.key, legacy("ping", { padding: "x".repeat(255 * kibibyte) })),
  },
});

/** A service, and every place that takes input which is expensive to refuse. */
export function useExpensiveTargets(): { given: Given; targets: [string, Target][] } {
  const { service, make } = useService(() => startService(neverReached));
  const given: Given = { service, key: "", poster: "" };
  beforeAll(async () => {
    const organization = await make.organization();
    given.key = await make.organizationKey(organization);
    given.poster = await make.poster(await make.event(await make.conference(), { hosts: [organization] }));
  });
  return { given, targets: Object.entries(targetsOf(given)) };
}
