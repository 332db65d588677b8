import type { Role } from "../../src/access/roles.js";
import type { UserEmail } from "./users.js";

export type OrganizationSlug =
  | "tidewater-labs"
  | "casa-aberta"
  | "quorum-systems"
  | "boreal-commons"
  | "kamogawa-institute"
  | "signal-orchard";

export type OrganizationSeed = {
  slug: OrganizationSlug;
  name: string;
  description: string;
  website: string;
  contact: string;
  socialLinks: Record<string, string>;
  primaryColor: string;
  secondaryColor: string;
  members: { email: UserEmail; role: Role }[];
};

export const organizations: readonly OrganizationSeed[] = [
  {
    slug: "tidewater-labs",
    name: "Tidewater Labs",
    description:
      "Tidewater Labs builds open infrastructure for long-lived software and brings the people who run it together. It has organised the Meridian conference since its first year.",
    website: "https://tidewater.example.com",
    contact: "events@tidewater.example.com",
    socialLinks: {
      mastodon: "https://social.example.org/@tidewater",
      linkedin: "https://linkedin.example.com/company/tidewater-labs",
      bluesky: "https://bluesky.example.com/profile/tidewater.example.com",
    },
    primaryColor: "#0B3C5D",
    secondaryColor: "#F2A541",
    members: [
      { email: "sofia.almeida@tidewater.example.com", role: "owner" },
      { email: "marcus.lindgren@tidewater.example.com", role: "admin" },
      { email: "aiko.tanabe@tidewater.example.com", role: "member" },
    ],
  },
  {
    slug: "casa-aberta",
    name: "Casa Aberta",
    description:
      "A community house in Lisbon where developers, musicians and neighbours share a roof. Casa Aberta hosts meetups every week and keeps all of them free.",
    website: "https://casa-aberta.example.org",
    contact: "ola@casa-aberta.example.org",
    socialLinks: {
      instagram: "https://instagram.example.com/casa.aberta",
      mastodon: "https://social.example.org/@casaaberta",
    },
    primaryColor: "#A4243B",
    secondaryColor: "#F9C8C0",
    members: [
      { email: "diogo.matos@casa-aberta.example.org", role: "owner" },
      { email: "leonor.vaz@casa-aberta.example.org", role: "member" },
      { email: "sofia.almeida@tidewater.example.com", role: "member" },
    ],
  },
  {
    slug: "quorum-systems",
    name: "Quorum Systems",
    description:
      "Quorum Systems makes a distributed database for teams that cannot take a night off. Its engineers teach what they learned while operating it.",
    website: "https://quorum.example.com",
    contact: "community@quorum.example.com",
    socialLinks: {
      linkedin: "https://linkedin.example.com/company/quorum-systems",
      x: "https://x.example.com/quorumsystems",
    },
    primaryColor: "#111827",
    secondaryColor: "#A3E635",
    members: [
      { email: "petra.kralova@quorum.example.com", role: "owner" },
      { email: "samir.desai@quorum.example.com", role: "admin" },
    ],
  },
  {
    slug: "boreal-commons",
    name: "Boréal Commons",
    description:
      "A Montréal non-profit that looks after shared digital infrastructure: mirrors, build machines, and the volunteers who keep them running. Bilingual since the first day.",
    website: "https://boreal.example.org",
    contact: "bonjour@boreal.example.org",
    socialLinks: {
      mastodon: "https://social.example.org/@boreal",
      peertube: "https://video.example.org/c/boreal",
    },
    primaryColor: "#14532D",
    secondaryColor: "#BBF7D0",
    members: [
      { email: "genevieve.roy@boreal.example.org", role: "owner" },
      { email: "etienne.fortin@boreal.example.org", role: "admin" },
      { email: "marcus.lindgren@tidewater.example.com", role: "member" },
    ],
  },
  {
    slug: "kamogawa-institute",
    name: "Kamogawa Institute",
    description:
      "An independent research institute in Kyoto that studies how large technical systems age, and what it takes to hand them from one generation to the next.",
    website: "https://kamogawa.example.net",
    contact: "summit@kamogawa.example.net",
    socialLinks: { linkedin: "https://linkedin.example.com/company/kamogawa-institute" },
    primaryColor: "#4A1D5F",
    secondaryColor: "#F0C6D4",
    members: [
      { email: "mori.keiko@kamogawa.example.net", role: "owner" },
      { email: "aiko.tanabe@tidewater.example.com", role: "member" },
    ],
  },
  {
    slug: "signal-orchard",
    name: "Signal Orchard",
    description:
      "A design studio for accessible and multilingual products. Signal Orchard runs hands-on workshops in which participants leave with something they can ship on Monday.",
    website: "https://signal-orchard.example.com",
    contact: "studio@signal-orchard.example.com",
    socialLinks: {
      instagram: "https://instagram.example.com/signalorchard",
      linkedin: "https://linkedin.example.com/company/signal-orchard",
    },
    primaryColor: "#9A3412",
    secondaryColor: "#FED7AA",
    members: [
      { email: "ebele.nwachukwu@signal-orchard.example.com", role: "owner" },
      { email: "tom.ashworth@signal-orchard.example.com", role: "admin" },
    ],
  },
];
