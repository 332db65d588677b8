import { z } from "zod";
import {
  conferenceCategories,
  listedStatuses,
  maximumCity,
  maximumLine,
  maximumLongText,
  maximumShortName,
  statuses,
} from "../nouns.js";
import { date, imageUrl, line, slug, text, timestamp, timezone, uuid, webUrl } from "./fields.js";

export const listedStatus = z.enum(listedStatuses);

export const conferenceCategory = z.enum(conferenceCategories);

export const conference = z
  .object({
    id: uuid,
    name: z.string(),
    slug: z.string(),
    short_name: z.string(),
    description: z.string(),
    city: z.string(),
    start_date: date,
    end_date: date,
    timezone: z.string().meta({ description: "IANA time zone name" }),
    status: listedStatus,
    category: conferenceCategory,
    banner_thumbnail_url: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Conference" });

// The database has no year 0.
const storableDate = date.refine((value) => !value.startsWith("0000"), { error: "expected a date such as 2027-03-01" });

export const conferenceRow = z.strictObject({
  id: uuid.optional(),
  name: line(maximumLine),
  slug,
  short_name: line(maximumShortName),
  description: text(maximumLongText),
  city: line(maximumCity),
  start_date: storableDate,
  end_date: storableDate,
  timezone,
  status: z.enum(statuses),
  category: conferenceCategory,
  banner_thumbnail_url: imageUrl.nullable().optional(),
  created_at: timestamp.optional(),
});

const { id: _, status: __, created_at: ___, ...describing } = conferenceRow.shape;

/** What platform administrators write of a conference. Tools take the address of an image that the service stores, an import its path. */
export const conferenceInput = { ...describing, banner_thumbnail_url: webUrl.nullable() };
