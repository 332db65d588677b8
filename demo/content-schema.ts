import { z } from "zod";
import { type PosterFormat, posterFormats, posterTemplates } from "../contract/poster-designs.js";
import { conferenceRow } from "../contract/schema/conferences.js";
import { eventFields, eventRow } from "../contract/schema/events.js";
import { color, email, line, slug, text, webUrl } from "../contract/schema/fields.js";
import { memberRole, organizationFields } from "../contract/schema/organizations.js";
import { registrationStatus } from "../contract/schema/registrations.js";
import { segmentFields } from "../contract/schema/run-of-show.js";
import { speakerRole } from "../contract/schema/speakers.js";
import { newCoupon } from "../src/ticketing-sandbox/coupons.js";
import { newTicketType } from "../src/ticketing-sandbox/ticket-types.js";
import { weekdays } from "./calendar.js";

/** The entries of demo/content/*.json. Keys of entries in other files are checked in content.ts. */

const count = z.int().min(0);
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "expected a time as in 18:30" });
const hashtag = z.string().regex(/^#\S+$/, { error: "expected a hashtag as in #Keynote" });
const texts = z.array(z.string()).min(1);

export const conferenceEntry = conferenceRow
  .pick({
    slug: true,
    name: true,
    short_name: true,
    description: true,
    city: true,
    timezone: true,
    status: true,
    category: true,
  })
  .extend({
    hashtag,
    starts_after_days: count,
    starts_on_weekday: z.enum(weekdays),
    length_days: z.int().min(1),
    announced_days_ago: count,
  });

export const organizationEntry = z.strictObject({
  slug,
  name: organizationFields.name.input,
  description: text(20_000),
  website_url: webUrl,
  contact_email: email,
  social_links: organizationFields.social_links.input,
  brand_primary_color: color,
  brand_secondary_color: color,
  members: z.array(z.strictObject({ email, role: memberRole })),
});

export const userEntry = z.strictObject({ email, name: line(200), platform_admin: z.boolean().default(false) });

export const personEntry = z.strictObject({
  key: slug,
  name: line(200),
  title: line(200),
  company: line(200),
  bio: text(20_000),
});

export const venueEntry = z.strictObject({ key: slug, name: line(200), address: line(400) });

export const eventEntry = z.strictObject({
  key: slug,
  conference: slug,
  name: eventFields.name.input,
  description: text(20_000),
  day: z.int().min(1),
  from: clockTime,
  to: clockTime,
  venue: slug,
  status: eventRow.shape.status,
  category: eventFields.category.input,
  tier: eventFields.tier.input,
  capacity: eventFields.capacity.input,
  host: slug,
  co_hosts: z.array(slug),
  ticketed: z.boolean(),
  speakers: z.array(z.strictObject({ person: slug, role: speakerRole })),
});

export const runOfShowEntry = z.strictObject({
  event: slug,
  published: z.boolean(),
  segments: z.array(
    z.strictObject({
      at: clockTime,
      minutes: segmentFields.duration_minutes.input,
      kind: segmentFields.kind.input,
      title: segmentFields.title.input,
      location: line(200),
      speakers: z.array(slug).default([]),
      notes: segmentFields.notes.input.default(null),
    }),
  ),
});

export const posterEntry = z
  .strictObject({
    event: slug,
    template: z.enum(posterTemplates),
    format: z.enum(Object.keys(posterFormats) as PosterFormat[]),
    title: line(300).optional(),
    speakers: z.array(slug).optional(),
    sort_order: z.number(),
    published: z.boolean(),
    posted_on: z.array(slug).default([]),
  })
  .refine(({ published, posted_on }) => published || posted_on.length === 0, {
    path: ["posted_on"],
    error: "expected no social networks for an unpublished poster",
  });

export const posterCaptionsEntry = z.strictObject({
  event: slug,
  language: z.string().default("en"),
  captions: z.tuple([z.string(), z.string()]),
  hashtags: z.array(hashtag),
});

export const socialNetworkEntry = z.strictObject({ key: slug, post_url: webUrl });

export const guestListEntry = z.strictObject({
  event: slug,
  approved: count,
  declined: count,
  waitlisted: count,
  pending: count,
  checked_in: count,
  tickets: texts,
  questions: z.array(z.string()),
});

export const guestAnswersFile = z.strictObject({
  answers: z.record(z.string(), z.array(z.union([z.string(), z.boolean()])).min(1)),
  answers_by_ticket: z.record(z.string(), z.record(z.string(), z.string())),
  sources: texts,
  notes: z.record(registrationStatus, texts),
  early_check_in_note: z.string(),
});

export const guestNamesFile = z.strictObject({
  groups: z.array(z.strictObject({ given: texts, family: texts })),
  names_in_other_scripts: z.array(z.strictObject({ name: line(200), mailbox: z.string() })).min(1),
  email_domains: texts,
});

export const keyEntry = z.discriminatedUnion("tier", [
  z.strictObject({ tier: z.literal("super-admin"), name: line(200) }),
  z.strictObject({ tier: z.literal("conference"), name: line(200), conference: slug }),
  z.strictObject({ tier: z.literal("organization"), name: line(200), organization: slug, user: email }),
]);

/** Somebody who gets a password, and what they can do in the console. */
export const signInEntry = z.strictObject({ email, can: line(200) });

export const ticketingFile = z
  .strictObject({
    currency: z.string(),
    prices_in_cents: z.record(z.string(), count),
    default_ticket: z.string(),
    extra_ticket_types: z.array(newTicketType),
    staff_ticket: z.string(),
    coupons: z.array(newCoupon.extend({ valid_until_event_start: z.boolean().default(false) })),
  })
  .refine(({ staff_ticket, extra_ticket_types }) => extra_ticket_types.some(({ name }) => name === staff_ticket), {
    path: ["staff_ticket"],
    error: "expected the name of an extra ticket type",
  });
