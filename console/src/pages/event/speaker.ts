import { queryOptions } from "@tanstack/react-query";
import type { Speaker } from "../../../../contract/console/event.ts";
import type { SpeakerRole } from "../../../../contract/nouns.ts";
import { call } from "../../api/client.ts";
import { eventKey } from "../../api/query-keys.ts";
import type { Json } from "../../api/tools.ts";
import { isWebAddress, textOrNull } from "../../format/texts.ts";

export const speakerRoles: Record<SpeakerRole, string> = {
  speaker: "Speaker",
  moderator: "Moderator",
  panelist: "Panelist",
  host: "Host",
};

export const speakersQuery = (organizationId: string, eventId: string) =>
  queryOptions({
    queryKey: eventKey(organizationId, eventId, "speakers"),
    queryFn: ({ signal }) => call("eventSpeakers", { organization: organizationId, event: eventId }, { signal }),
  });

/** What the form has: links as lines of a name and an address. */
export type SpeakerForm = Record<"name" | "title" | "company" | "bio" | "photo_url", string> & {
  role: SpeakerRole;
  links: { key: number; name: string; url: string }[];
};

export const speakerLabels: Record<keyof SpeakerForm, string> = {
  name: "Name",
  photo_url: "Photo",
  title: "Job title",
  company: "Company",
  role: "Role at the event",
  bio: "Biography",
  links: "Links",
};

export function speakerForm(speaker?: Speaker): SpeakerForm {
  return {
    name: speaker?.name ?? "",
    title: speaker?.title ?? "",
    company: speaker?.company ?? "",
    bio: speaker?.bio ?? "",
    photo_url: speaker?.photo_url ?? "",
    role: speaker?.role ?? "speaker",
    links: Object.entries(speaker?.links ?? {}).map(([name, url], key) => ({ key, name, url })),
  };
}

export type SpeakerProblems = { name?: string; photo_url?: string; links?: string };

export function speakerProblems(form: SpeakerForm): SpeakerProblems {
  const names = usedLinks(form).map(({ name }) => name);
  return {
    ...(form.name.trim() === "" ? { name: "A speaker needs a name." } : {}),
    ...(form.photo_url.trim() !== "" && !isWebAddress(form.photo_url)
      ? { photo_url: "Start with https://, for example https://example.com/photo.jpg." }
      : {}),
    ...(usedLinks(form).some(({ name, url }) => name === "" || !isWebAddress(url))
      ? { links: "Each link needs a name and an address that starts with https://." }
      : new Set(names).size < names.length
        ? { links: "Each link needs a name of its own." }
        : {}),
  };
}

const usedLinks = ({ links }: SpeakerForm) =>
  links
    .map(({ name, url }) => ({ name: name.trim(), url: url.trim() }))
    .filter(({ name, url }) => name !== "" || url !== "");

/** The arguments of add_event_speaker, or those of update_event_speaker that differ from the speaker. */
export function speakerArguments(form: SpeakerForm, speaker?: Speaker): Json {
  const wanted = {
    name: form.name.trim(),
    title: textOrNull(form.title),
    company: textOrNull(form.company),
    bio: form.bio.trim() === "" ? null : form.bio,
    photo_url: textOrNull(form.photo_url),
    links: Object.fromEntries(usedLinks(form).map(({ name, url }) => [name, url])),
    role: form.role,
  };
  if (speaker === undefined) return wanted;
  const isSame = (name: keyof typeof wanted) =>
    name === "links" ? sameLinks(speaker.links, wanted.links) : speaker[name] === wanted[name];
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !isSame(name as keyof typeof wanted)));
}

const sameLinks = (one: Record<string, string>, other: Record<string, string>): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([name, url]) => other[name] === url);
