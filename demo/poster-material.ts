import type { PosterMaterial } from "../src/poster-render/poster-input.js";
import { conferences } from "./content/conferences.js";
import { getEventSeed } from "./content/events.js";
import { organizations } from "./content/organizations.js";
import { people } from "./content/people.js";
import type { PosterSeed } from "./content/poster-seeds.js";
import { venues } from "./content/venues.js";
import { stableId } from "./stable-id.js";

export function posterId({ event, template, format, title = "" }: PosterSeed): string {
  return stableId(`poster ${event} ${template} ${format} ${title}`);
}

/** What the poster shows. It names the day of the conference and no date, since dates follow the day of the import. */
export function posterMaterial(seed: PosterSeed, logo: Uint8Array | null): PosterMaterial {
  const event = getEventSeed(seed.event);
  const conference = conferences.find(({ slug }) => slug === event.conference);
  const organization = organizations.find(({ slug }) => slug === event.host);
  if (!conference || !organization) throw new Error(`The event ${event.key} has no conference or no host`);
  const shown = event.speakers.filter(([person]) => seed.speakers === undefined || seed.speakers.includes(person));
  const title = seed.title ?? event.name;
  return {
    title,
    // "Opening Keynote: Software That Lasts" under the headline "Software That Lasts" would say it twice.
    event_name: event.name.endsWith(`: ${title}`) ? event.name.slice(0, -title.length - 2) : event.name,
    conference_name: conference.shortName,
    when: `Day ${event.day} · ${event.from}–${event.to}`,
    where: `${venues[event.venue].name}, ${conference.city}`,
    speakers: shown.map(([person, role]) => {
      return {
        name: people[person].name,
        title: people[person].title,
        company: people[person].company,
        role,
        photo: null,
      };
    }),
    organization: { name: organization.name, logo },
    primary_color: organization.primaryColor,
    secondary_color: organization.secondaryColor,
  };
}
