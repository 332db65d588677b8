import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { asksForReason } from "./reason.ts";

const published = [{ path: "event.status", from: "published", to: "approved" }];
const approved = [{ path: "event.status", from: "draft", to: "approved" }];

it.each([
  ["decline_event_registration", {}, true],
  ["approve_event_registration", {}, false],
  ["batch_update_event_registrations", { action: "decline" }, true],
  ["batch_update_event_registrations", { action: "approve" }, false],
  ["remove_event_cohost", {}, true],
  ["add_event_cohost", {}, false],
  ["set_event_primary_host", {}, true],
  ["set_event_poster_publication", { published: false }, true],
  ["set_event_poster_publication", { published: true }, false],
  ["set_event_run_of_show_publication", { published: false }, true],
  ["set_event_poster_links", { posted_urls: { X: null } }, true],
  ["set_event_poster_links", { posted_urls: { X: "https://x.com/a" } }, false],
  ["set_platform_admin", { platform_admin: false }, true],
  ["set_platform_admin", { platform_admin: true }, false],
  ["revoke_api_key", {}, true],
  ["cancel_event", {}, true],
  ["update_event_details", { venue: "Pier 4" }, false],
  ["toString", {}, false],
] as const)("%s with %o asks for a reason: %s", (tool, args, asks) => {
  expect(asksForReason(tool, args)).toBe(asks);
});

it.each(["update_event_details", "set_event_status", "set_conference_status"])(
  "%s asks once the preview says that what was published no longer is",
  (tool) => {
    expect([published, approved].map((changes) => asksForReason(tool, {}, changes))).toEqual([true, false]);
  },
);

it("describes changes in the past, as records are read", () => {
  const irregular = ["Drew", "Left", "Made", "Redrew", "Set", "Took", "Undid", "Withdrew"];
  const pages = "console/src/pages";
  const files = readdirSync(pages, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  const reasons = files.flatMap((file) =>
    readFileSync(`${pages}/${file}`, "utf8")
      .split("\n")
      .filter((line) => /^\s+(reason|past): .*["`]/.test(line))
      .flatMap((line) => [...line.matchAll(/[`"]([A-Z][a-z]+)[ `"]/g)].map(([, verb = ""]) => verb)),
  );
  expect(reasons.length).toBeGreaterThan(40);
  expect(reasons.filter((verb) => !verb.endsWith("ed") && !irregular.includes(verb))).toEqual([]);
});
