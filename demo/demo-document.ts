import { buildPosters } from "./build-posters.js";
import { buildConferences, buildEvents, buildSegments, buildSpeakers } from "./build-programme.js";
import { buildRegistrations } from "./build-registrations.js";
import { organizations } from "./content/organizations.js";
import { users } from "./content/users.js";
import { imageUrl, readDemoManifest } from "./demo-images.js";
import type { DemoSource } from "./demo-source.js";
import type { ImportDocument, OrganizationRow } from "./import-document.js";
import { stableId } from "./stable-id.js";

/**
 * The demo data in the import format. Ids never change; dates follow `now`, so that every event lies ahead
 * and everything that has happened lies behind. The same options give the same document.
 */
export function buildDemoDocument(options: { baseUrl: string; now: Date }): ImportDocument {
  const { now } = options;
  const manifest = readDemoManifest();
  const source = { now, manifest, baseUrl: options.baseUrl.replace(/\/+$/, "") };
  return {
    users: users.map((user) => ({ id: stableId(`user ${user.email}`), ...user })),
    organizations: buildOrganizations(source),
    conferences: buildConferences(source),
    events: buildEvents(source),
    posters: buildPosters(source),
    speakers: buildSpeakers(),
    registrations: buildRegistrations(now),
    segments: buildSegments(now),
  };
}

function buildOrganizations({ manifest, baseUrl }: DemoSource): OrganizationRow[] {
  return organizations.map((seed) => ({
    id: stableId(`organization ${seed.slug}`),
    name: seed.name,
    slug: seed.slug,
    description: seed.description,
    website_url: seed.website,
    contact_email: seed.contact,
    social_links: seed.socialLinks,
    logo_url: imageUrl(baseUrl, manifest.logos[seed.slug]?.light),
    logo_dark_url: imageUrl(baseUrl, manifest.logos[seed.slug]?.dark),
    brand_primary_color: seed.primaryColor,
    brand_secondary_color: seed.secondaryColor,
    members: seed.members,
  }));
}
