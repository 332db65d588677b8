import type { PosterFormat, PosterTemplate } from "../../src/poster-render/poster-input.js";
import type { PersonKey } from "./people.js";

export type PosterSeed = {
  event: string;
  template: PosterTemplate;
  format: PosterFormat;
  /** The event's name where left out. */
  title?: string;
  /** All speakers of the event where left out. */
  speakers?: readonly PersonKey[];
  order: number;
  /** "draft" is not published; the others are, and some have been shared on the platforms named. */
  state: "draft" | "published" | readonly Platform[];
};

export type Platform = "x" | "linkedin" | "bluesky" | "mastodon" | "instagram" | "threads";

export const posters: readonly PosterSeed[] = [
  ...series("opening-keynote", [
    ["headline", "portrait", "Software That Lasts", 0, ["linkedin", "mastodon", "bluesky"]],
    ["geometric", "square", "Software That Lasts", 1, ["instagram"]],
    ["headline", "landscape", "Inês Carvalho", 1, ["x", "linkedin"], ["ines-carvalho"]],
    ["editorial", "story", "Tunde Adébáyò", 2, "published", ["tunde-adebayo"]],
  ]),
  ...series("agents-in-production", [
    ["lineup", "portrait", undefined, 0, ["linkedin", "x", "bluesky"]],
    ["geometric", "landscape", undefined, 1, ["linkedin"]],
    ["lineup", "square", undefined, 1, "published"],
    ["headline", "story", undefined, 2, "draft"],
  ]),
  ...series("databases-without-downtime", [
    ["lineup", "portrait", undefined, 0, ["linkedin"]],
    ["editorial", "square", "Wei Ling Koh", 1, "published", ["wei-ling-koh"]],
  ]),
  ...series("women-in-infrastructure", [
    ["editorial", "portrait", undefined, 0, ["instagram", "linkedin"]],
    ["headline", "square", undefined, 1, "draft"],
  ]),
  ...series("accessible-by-default", [
    ["geometric", "portrait", undefined, 0, ["mastodon", "linkedin"]],
    ["headline", "landscape", undefined, 1, "published"],
  ]),
  ...series("query-clinic", [["geometric", "square", undefined, 0, "published"]]),
  ...series("welcome-reception", [
    ["headline", "portrait", undefined, 0, ["instagram", "threads"]],
    ["geometric", "story", undefined, 1, ["instagram"]],
  ]),
  ...series("founders-breakfast", [["editorial", "portrait", undefined, 0, "draft", []]]),
  ...series("open-protocols", [
    ["headline", "portrait", undefined, 0, ["mastodon", "bluesky"]],
    ["lineup", "landscape", undefined, 0, ["mastodon"]],
    ["editorial", "square", "Олена Шевчук", 1, "published", ["olena-shevchuk"]],
  ]),
  ...series("observability-you-can-afford", [["geometric", "landscape", undefined, 0, "published"]]),
  ...series("designing-for-trust", [
    ["editorial", "square", undefined, 0, "published"],
    ["lineup", "portrait", undefined, 1, "draft"],
  ]),
  ...series("edge-computing-lab", [
    ["geometric", "portrait", undefined, 0, ["linkedin"]],
    ["headline", "square", undefined, 1, "published"],
  ]),
  ...series("type-systems-meetup", [
    ["lineup", "square", undefined, 0, ["mastodon"]],
    ["headline", "landscape", undefined, 1, "published"],
  ]),
  ...series("code-and-fado", [
    ["headline", "portrait", undefined, 0, ["instagram", "mastodon", "threads"]],
    ["editorial", "story", undefined, 0, ["instagram"]],
    ["editorial", "square", "Rita Salgueiro", 1, "published", ["rita-salgueiro"]],
  ]),
  ...series("open-house", [["geometric", "landscape", undefined, 0, "published", []]]),
  ...series("next-maintainer", [
    ["editorial", "portrait", undefined, 0, ["linkedin", "mastodon"]],
    ["headline", "landscape", "Hélène Bouchard", 1, "published"],
  ]),
  ...series("platform-forum", [["lineup", "portrait", undefined, 0, ["linkedin"]]]),
  ...series("supply-chain-drill", [["headline", "portrait", undefined, 0, "published"]]),
  ...series("verified-systems", [
    ["editorial", "portrait", "Verified Systems", 0, "published"],
    ["lineup", "square", "Verified Systems", 1, "draft"],
  ]),
  ...series("careers-afternoon", [["headline", "landscape", undefined, 0, "draft"]]),
  ...series("local-languages", [
    ["lineup", "portrait", undefined, 0, ["mastodon", "bluesky"]],
    ["editorial", "square", "अनन्या राव", 1, "published", ["ananya-rao"]],
  ]),
  ...series("lightning-talks", [["lineup", "square", undefined, 0, "published"]]),
  ...series("green-computing", [["geometric", "square", undefined, 0, "published"]]),
  ...series("closing-keynote", [
    ["headline", "portrait", "Small Teams, Large Systems", 0, "published"],
    ["headline", "landscape", "Carmen Ibáñez", 1, "draft", ["carmen-ibanez"]],
  ]),
  ...series("unannounced-session", [["headline", "square", undefined, 0, "published"]]),
  ...series("opening-assembly", [
    ["geometric", "portrait", undefined, 0, ["mastodon"]],
    ["lineup", "landscape", undefined, 0, "published"],
  ]),
  ...series("first-contribution", [
    ["headline", "portrait", undefined, 0, ["mastodon", "linkedin"]],
    ["geometric", "story", undefined, 1, "published"],
  ]),
  ...series("documentation-clinic", [["editorial", "square", undefined, 0, "published"]]),
  ...series("home-server-fair", [["geometric", "square", undefined, 0, "published"]]),
  ...series("governance-that-works", [["lineup", "portrait", undefined, 0, "published"]]),
  ...series("soiree", [
    ["headline", "story", undefined, 0, "published"],
    ["editorial", "square", undefined, 0, "draft", []],
  ]),
  ...series("translation-sprint", [["headline", "square", undefined, 0, "draft"]]),
  ...series("summit-opening", [["editorial", "portrait", undefined, 0, "published"]]),
  ...series("national-scale", [
    ["lineup", "portrait", undefined, 0, "published"],
    ["editorial", "landscape", undefined, 1, "draft"],
  ]),
  ...series("hundred-year-systems", [["geometric", "portrait", undefined, 0, "draft"]]),
];

type SeriesItem = [
  template: PosterTemplate,
  format: PosterFormat,
  title: string | undefined,
  order: number,
  state: PosterSeed["state"],
  speakers?: readonly PersonKey[],
];

function series(event: string, items: readonly SeriesItem[]): PosterSeed[] {
  return items.map(([template, format, title, order, state, speakers]) => ({
    event,
    template,
    format,
    order,
    state,
    ...(title === undefined ? {} : { title }),
    ...(speakers === undefined ? {} : { speakers }),
  }));
}
