import { readFileSync } from "node:fs";
import { z } from "zod";
import { messageOf } from "../contract/errors.js";
import { projectRoot } from "../src/infra/project-root.js";
import { describeIssues, issuesOf } from "../src/schema/issues.js";
import {
  conferenceEntry,
  eventEntry,
  guestAnswersFile,
  guestListEntry,
  guestNamesFile,
  keyEntry,
  organizationEntry,
  personEntry,
  posterCaptionsEntry,
  posterEntry,
  runOfShowEntry,
  signInEntry,
  socialNetworkEntry,
  ticketingFile,
  userEntry,
  venueEntry,
} from "./content-schema.js";

export const demoFolder = new URL("demo/", projectRoot);
const contentFolder = new URL("content/", demoFolder);

export type DemoContent = ReturnType<typeof readDemoContent>;
export type DemoConference = Files["conferences"][number];
export type DemoOrganization = Files["organizations"][number];
export type DemoEvent = ReturnType<typeof resolveEvent>;
export type DemoPoster = ReturnType<typeof resolvePoster>;
export type DemoGuestList = ReturnType<typeof resolveGuestList>;
export type DemoKey = Files["keys"][number];
export type DemoSignIn = Files["signIns"][number];

/** Reads demo/content/*.json. Every key that names an entry of another file is checked, most are replaced by the entry. */
export function readDemoContent(folder = contentFolder) {
  const files = readFiles(folder);
  const lookups = indexFiles(files);
  checkMembersAndKeys(files, lookups);
  const events = files.events.map((entry) => resolveEvent(entry, lookups));
  const eventOf = indexBy("event", "events.json", events, ({ key }) => key);
  for (const { event } of files.posterCaptions) eventOf(event, "poster-captions.json");
  return {
    ...files,
    events,
    posters: files.posters.map((entry) => resolvePoster(entry, eventOf(entry.event, "posters.json"), lookups)),
    runsOfShow: files.runsOfShow.map((entry) => resolveRun(entry, eventOf(entry.event, "runs-of-show.json"))),
    guestLists: files.guestLists.map((entry) =>
      resolveGuestList(entry, eventOf(entry.event, "guest-lists.json"), lookups),
    ),
  };
}

/** Reads a JSON file; messages begin with `name`. */
export function readJson<Schema extends z.ZodType>(file: URL, name: string, schema: Schema): z.output<Schema> {
  const value = parseJson(readFileSync(file, "utf8"), name);
  const result = schema.safeParse(value);
  if (!result.success) throw new Error(`${name}: ${describeIssues(issuesOf(result.error))}`);
  return result.data;
}

function parseJson(json: string, name: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`${name}: expected valid JSON: ${messageOf(error)}`);
  }
}

type Files = ReturnType<typeof readFiles>;

/** The people who can sign in, for what needs nothing else of the content. */
export function readDemoSignIns() {
  return readFile(contentFolder, "sign-ins.json", z.array(signInEntry));
}

function readFile<Schema extends z.ZodType>(folder: URL, file: string, schema: Schema): z.output<Schema> {
  return readJson(new URL(file, folder), `demo/content/${file}`, schema);
}

function readFiles(folder: URL) {
  const read = <Schema extends z.ZodType>(file: string, schema: Schema) => readFile(folder, file, schema);
  return {
    conferences: read("conferences.json", z.array(conferenceEntry)),
    organizations: read("organizations.json", z.array(organizationEntry)),
    users: read("users.json", z.array(userEntry)),
    people: read("people.json", z.array(personEntry)),
    venues: read("venues.json", z.array(venueEntry)),
    events: read("events.json", z.array(eventEntry)),
    runsOfShow: read("runs-of-show.json", z.array(runOfShowEntry)),
    posters: read("posters.json", z.array(posterEntry)),
    posterCaptions: read("poster-captions.json", z.array(posterCaptionsEntry)),
    socialNetworks: read("social-networks.json", z.array(socialNetworkEntry)),
    guestLists: read("guest-lists.json", z.array(guestListEntry)),
    guestAnswers: read("guest-answers.json", guestAnswersFile),
    guestNames: read("guest-names.json", guestNamesFile),
    keys: read("keys.json", z.array(keyEntry)),
    signIns: read("sign-ins.json", z.array(signInEntry)),
    ticketing: read("ticketing.json", ticketingFile),
  };
}

type Lookups = ReturnType<typeof indexFiles>;

function indexFiles(files: Files) {
  const questions = Object.entries(files.guestAnswers.answers).map(([name, choices]) => ({ name, choices }));
  return {
    conference: indexBy("conference", "conferences.json", files.conferences, ({ slug }) => slug),
    organization: indexBy("organization", "organizations.json", files.organizations, ({ slug }) => slug),
    user: indexBy("user", "users.json", files.users, ({ email }) => email),
    person: indexBy("person", "people.json", files.people, ({ key }) => key),
    venue: indexBy("venue", "venues.json", files.venues, ({ key }) => key),
    posterCaptions: indexBy("event", "poster-captions.json", files.posterCaptions, ({ event }) => event),
    socialNetwork: indexBy("social network", "social-networks.json", files.socialNetworks, ({ key }) => key),
    question: indexBy("question", "guest-answers.json", questions, ({ name }) => name),
  };
}

/** The returned lookup fails with the place of the reference and the file that lacks the entry. */
function indexBy<Entry>(noun: string, file: string, entries: readonly Entry[], keyOf: (entry: Entry) => string) {
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (byKey.has(key)) throw new Error(`demo/content/${file}: duplicate ${noun} "${key}"`);
    byKey.set(key, entry);
  }
  return (key: string, place: string): Entry => {
    const entry = byKey.get(key);
    if (entry === undefined) {
      throw new Error(`demo/content/${place}: unknown ${noun} "${key}", expected an entry of demo/content/${file}`);
    }
    return entry;
  };
}

function checkMembersAndKeys({ organizations, keys, signIns }: Files, lookups: Lookups): void {
  for (const { slug, members } of organizations) {
    for (const { email } of members) lookups.user(email, `organizations.json: ${slug}`);
  }
  for (const { email } of signIns) lookups.user(email, "sign-ins.json");
  for (const key of keys) {
    const place = `keys.json: ${key.name}`;
    if (key.tier === "conference") lookups.conference(key.conference, place);
    if (key.tier === "organization") {
      lookups.organization(key.organization, place);
      lookups.user(key.user, place);
    }
  }
}

function resolveEvent(entry: Files["events"][number], lookups: Lookups) {
  const place = `events.json: ${entry.key}`;
  return {
    ...entry,
    conference: lookups.conference(entry.conference, place),
    venue: lookups.venue(entry.venue, place),
    host: lookups.organization(entry.host, place),
    co_hosts: entry.co_hosts.map((organization) => lookups.organization(organization, place)),
    speakers: entry.speakers.map(({ person, role }) => ({ ...lookups.person(person, place), role })),
  };
}

function resolvePoster(entry: Files["posters"][number], event: DemoEvent, lookups: Lookups) {
  const place = `posters.json: ${event.key}`;
  return {
    ...entry,
    event,
    speakers: entry.speakers === undefined ? event.speakers : speakersOf(event, entry.speakers, place),
    captions: lookups.posterCaptions(event.key, place),
    posted_on: entry.posted_on.map((network) => lookups.socialNetwork(network, place)),
  };
}

function resolveRun(entry: Files["runsOfShow"][number], event: DemoEvent) {
  for (const { speakers } of entry.segments) speakersOf(event, speakers, `runs-of-show.json: ${event.key}`);
  return { ...entry, event };
}

function resolveGuestList(entry: Files["guestLists"][number], event: DemoEvent, lookups: Lookups) {
  const place = `guest-lists.json: ${event.key}`;
  return { ...entry, event, questions: entry.questions.map((name) => lookups.question(name, place)) };
}

/** The named speakers of an event, in the event's order. */
function speakersOf(event: DemoEvent, people: readonly string[], place: string): DemoEvent["speakers"] {
  const unknown = people.find((person) => event.speakers.every(({ key }) => key !== person));
  if (unknown !== undefined) {
    throw new Error(`demo/content/${place}: unknown speaker "${unknown}", expected a speaker of this event`);
  }
  return event.speakers.filter(({ key }) => people.includes(key));
}
