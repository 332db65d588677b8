export type ConferenceSlug = "meridian-lisbon" | "open-commons-montreal" | "kyoto-systems-summit";

export type ConferenceSeed = {
  slug: ConferenceSlug;
  name: string;
  shortName: string;
  description: string;
  city: string;
  timeZone: string;
  status: "published" | "approved";
  category: "mainline" | "community" | "vip";
  /** It starts on the first such weekday (Sunday is 0) that is at least so many days away. */
  startsAfterDays: number;
  startsOnWeekday: number;
  lengthDays: number;
  announcedDaysAgo: number;
  hashtag: string;
};

export const conferences: readonly ConferenceSeed[] = [
  {
    slug: "meridian-lisbon",
    name: "Meridian Developer Conference",
    shortName: "Meridian Lisbon",
    description:
      "Four days in Lisbon for people who build software that has to last: keynotes, workshops, community meetups and long evenings by the river. Talks are recorded and captioned; every room is step-free.",
    city: "Lisbon",
    timeZone: "Europe/Lisbon",
    status: "published",
    category: "mainline",
    startsAfterDays: 18,
    startsOnWeekday: 2,
    lengthDays: 4,
    announcedDaysAgo: 214,
    hashtag: "#MeridianLisbon",
  },
  {
    slug: "open-commons-montreal",
    name: "Open Commons Days Montréal",
    shortName: "Open Commons",
    description:
      "A bilingual weekend for contributors to open source, open data and open knowledge. Sessions are free, childcare is provided, and newcomers are paired with a guide on arrival.",
    city: "Montréal",
    timeZone: "America/Toronto",
    status: "published",
    category: "community",
    startsAfterDays: 45,
    startsOnWeekday: 5,
    lengthDays: 3,
    announcedDaysAgo: 163,
    hashtag: "#OpenCommonsMTL",
  },
  {
    slug: "kyoto-systems-summit",
    name: "Kyoto Systems Summit",
    shortName: "Kyoto Summit",
    description:
      "Two days by invitation for those who answer for critical systems. Small tables, the Chatham House rule, and simultaneous interpretation between English and Japanese.",
    city: "Kyoto",
    timeZone: "Asia/Tokyo",
    status: "approved",
    category: "vip",
    startsAfterDays: 74,
    startsOnWeekday: 4,
    lengthDays: 2,
    announcedDaysAgo: 121,
    hashtag: "#KyotoSystems",
  },
];
