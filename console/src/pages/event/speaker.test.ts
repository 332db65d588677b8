import { describe, expect, it } from "vitest";
import { type Speaker, speakerArguments, speakerForm, speakerProblems } from "./speaker.ts";

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
  });

  it("sends everything of a new speaker, without empty links", () => {
    const form = { ...speakerForm(), name: " Ben ", links: [{ key: 0, name: "", url: " " }] };
    expect(speakerArguments(form)).toEqual({
      ...{ name: "Ben", title: null, company: null, bio: null, photo_url: null },
      ...{ links: {}, role: "speaker" },
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
  });
});
