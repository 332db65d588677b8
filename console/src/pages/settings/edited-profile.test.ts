import { describe, expect, it } from "vitest";
import { changedFields } from "../../change/changed-fields.ts";
import { type EditedProfile, editedOf, isLongDescription, profileOf } from "./edited-profile.ts";
import type { Profile } from "./settings-data.ts";

const stored: Profile = {
  name: "Harbour Works",
  description: "By the sea.\n",
  website_url: "https://harbour.example",
  contact_email: null,
  social_links: { mastodon: "https://m.example/a", instagram: "https://i.example/a" },
};
const long: Profile = { ...stored, description: "a".repeat(4001) };

const changesOf = (part: Partial<EditedProfile>, before = stored) =>
  changedFields(before, profileOf(before, { ...editedOf(before), ...part }));

describe("the form of a profile", () => {
  it("shows what is stored", () => {
    expect(editedOf({ ...stored, description: null })).toEqual({
      name: "Harbour Works",
      description: "",
      website: "https://harbour.example",
      email: "",
      links: [
        { id: 0, platform: "mastodon", url: "https://m.example/a" },
        { id: 1, platform: "instagram", url: "https://i.example/a" },
      ],
    });
  });

  it("changes nothing that was not edited", () => {
    expect(changesOf({})).toEqual({});
    expect(changesOf({}, { ...stored, description: null, website_url: null, social_links: {} })).toEqual({});
  });

  it.each<[Partial<EditedProfile>, Partial<Profile>]>([
    [{ name: " Harbour " }, { name: "Harbour" }],
    [{ description: " By the river. " }, { description: "By the river." }],
    [{ description: " " }, { description: null }],
    [{ website: " https://new.example " }, { website_url: "https://new.example" }],
    [{ website: "" }, { website_url: null }],
    [{ email: " hello@harbour.example " }, { contact_email: "hello@harbour.example" }],
    [{ email: " " }, {}],
  ])("stores %o as %o", (edited, changes) => {
    expect(changesOf(edited)).toEqual(changes);
  });

  it("sends all links when one was added, changed or removed", () => {
    const { links } = editedOf(stored);
    const added = { id: 2, platform: " github ", url: " https://g.example/a " };
    expect(changesOf({ links: [...links, added] })).toEqual({
      social_links: { ...stored.social_links, github: "https://g.example/a" },
    });
    expect(changesOf({ links: links.map((link) => ({ ...link, url: "https://x.example" })) })).toEqual({
      social_links: { mastodon: "https://x.example", instagram: "https://x.example" },
    });
    expect(changesOf({ links: links.slice(1) })).toEqual({ social_links: { instagram: "https://i.example/a" } });
    expect(changesOf({ links: [] })).toEqual({ social_links: {} });
  });

  it("leaves out links without a platform", () => {
    const { links } = editedOf(stored);
    expect(changesOf({ links: [...links, { id: 2, platform: " ", url: "https://x.example" }] })).toEqual({});
  });

  it("keeps a description of more than 4000 characters", () => {
    expect([isLongDescription(long), isLongDescription({ ...stored, description: "a".repeat(4000) })]).toEqual([
      true,
      false,
    ]);
    expect(isLongDescription({ ...stored, description: null })).toBe(false);
    expect(changesOf({ description: "Shorter", name: "Harbour" }, long)).toEqual({ name: "Harbour" });
  });
});
