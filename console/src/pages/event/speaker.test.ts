import { describe, expect, it } from "vitest";
import type { Speaker } from "../../../../contract/console/event.ts";
import { speakerArguments, speakerForm, speakerProblems } from "./speaker.ts";

const speaker: Speaker = {
  id: "00000000-0000-0000-0000-00000000000a",
  name: "Ana Silva",
  title: null,
  company: "Harbour Works",
  bio: "A biography.\n",
  photo_url: null,
  links: { web: "https://ana.example", code: "https://code.example/ana" },
  role: "speaker",
  segments: [],
};
const edited = (changes: object) => ({ ...speakerForm(speaker), ...changes });

describe("the form of a speaker", () => {
  it("sends nothing but what was changed", () => {
    expect(speakerArguments(speakerForm(speaker), speaker)).toEqual({});
    expect(speakerArguments(edited({ company: "", role: "host" }), speaker)).toEqual({ company: null, role: "host" });
    const links = [{ key: 0, name: "web", url: "https://ana.example" }];
    expect(speakerArguments(edited({ links }), speaker)).toEqual({ links: { web: "https://ana.example" } });
    const { links: stored } = speakerForm(speaker);
    const added = [...stored, { key: 2, name: "blog", url: "https://blog.example" }];
    expect(Object.keys(speakerArguments(edited({ links: added }), speaker).links ?? {})).toEqual([
      ...["web", "code", "blog"],
    ]);
  });

  it("notices another address or another name of a link, and keeps the spaces of a biography", () => {
    const changed = (index: number, change: object) => {
      const links = speakerForm(speaker).links.map((link) => (link.key === index ? { ...link, ...change } : link));
      return speakerArguments(edited({ links }), speaker);
    };
    expect(changed(1, { url: " https://new.example " })).toEqual({
      links: { web: "https://ana.example", code: "https://new.example" },
    });
    expect(changed(0, { name: "site" })).toEqual({
      links: { site: "https://ana.example", code: "https://code.example/ana" },
    });
    expect(speakerArguments(edited({ bio: " Two.\n", title: " Chair ", photo_url: " " }), speaker)).toEqual({
      bio: " Two.\n",
      title: "Chair",
    });
    expect(speakerArguments(edited({ bio: "\n" }), speaker)).toEqual({ bio: null });
  });

  it("sends everything of a new speaker, without empty links", () => {
    const form = { ...speakerForm(), name: " Ben ", links: [{ key: 0, name: "", url: " " }] };
    expect(speakerArguments(form)).toEqual({
      name: "Ben",
      title: null,
      company: null,
      bio: null,
      photo_url: null,
      links: {},
      role: "speaker",
    });
  });

  it("says what is wrong", () => {
    expect(speakerProblems(speakerForm(speaker))).toEqual({});
    const links = [
      { key: 0, name: "web", url: "https://a.example" },
      { key: 1, name: "web", url: "https://b.example" },
    ];
    expect(Object.keys(speakerProblems(edited({ name: "", photo_url: "x", links })))).toEqual([
      ...["name", "photo_url", "links"],
    ]);
    const problemOf = (name: string, url: string) => speakerProblems(edited({ links: [{ key: 0, name, url }] })).links;
    const incomplete = "Each link needs a name and an address that starts with https://.";
    expect([problemOf("web", ""), problemOf(" ", "https://a.example"), problemOf("web", "a.example")]).toEqual([
      ...[incomplete, incomplete, incomplete],
    ]);
    expect([problemOf(" ", " "), problemOf("web", " http://a.example ")]).toEqual([undefined, undefined]);
  });
});
