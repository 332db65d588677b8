import sql from "sql-template-tag";
import { scopes } from "../contract/scopes.js";
import type { Operator, Tier } from "../src/access/caller.js";
import { type CreatedKey, createKey, keyLifetimeDays } from "../src/access/key-store.js";
import type { Database, Queryable } from "../src/infra/database/db.js";
import { randomToken } from "../src/infra/ids.js";
import { getConferenceId } from "../src/modules/conferences/store.js";
import { imageStore } from "../src/modules/images/store.js";
import { getOrganizationId } from "../src/modules/organizations/store.js";
import { type PosterFacts, speakersNamed } from "../src/modules/posters/rules.js";
import { factsNow } from "../src/modules/posters/store.js";
import { getUserByEmail, markEmailVerified } from "../src/modules/users/store.js";
import { recordedChange } from "../src/records/recorded-change.js";
import { hashPassword } from "../src/sign-in/password-hashes.js";
import { savePasswordHash } from "../src/sign-in/passwords.js";
import { importInto } from "../src/transfer/document-import.js";
import { buildDemoDocument } from "./build-document.js";
import { type DemoKey, type DemoSignIn, readDemoContent } from "./content.js";
import { isDatabaseEmpty } from "./database-empty.js";
import { readDemoImages } from "./image-manifest.js";

export type DemoSummary = {
  counts: Record<string, number>;
  keys: { tier: Tier; name: string; reaches: string; key: string }[];
  /** People who can sign in to the console. */
  people: { email: string; password: string; can: string }[];
};

/**
 * Loads the demo in one transaction, unless the database is not empty: a start that is interrupted leaves it empty, and
 * the next one retries.
 */
export async function loadDemo(
  db: Database,
  operator: Operator,
  onStep: (step: string) => void = () => {},
): Promise<DemoSummary | undefined> {
  if (!(await isDatabaseEmpty(db))) return undefined;
  const content = readDemoContent();
  // Image URLs are stored as paths, so that they follow PUBLIC_URL.
  const document = buildDemoDocument({ baseUrl: "", now: new Date(), content });
  const counts = Object.fromEntries(Object.entries(document).map(([list, rows]) => [list, rows.length]));
  const signIns = await Promise.all(content.signIns.map(createSignIn));
  const { result } = await recordedChange<DemoSummary | undefined>(db, operator, async (tx) => {
    await tx.query(sql`lock table users, organizations, conferences, api_keys in share row exclusive mode`);
    if (!(await isDatabaseEmpty(tx))) return { result: undefined, record: null };
    const images = await readDemoImages();
    onStep(`loading the demo data: ${images.length} images`);
    await imageStore(tx).save(images);
    onStep(`loading the demo data: ${Object.values(counts).reduce((sum, count) => sum + count, 0)} rows`);
    const outcome = await importInto(tx, asChunks(document), { source: "the demo data", checkOnly: false });
    if (!outcome.ok) throw new Error(`the demo data is invalid: ${JSON.stringify(outcome.problems.slice(0, 3))}`);
    await noteWhatPostersShow(tx);
    const keys: DemoSummary["keys"] = [];
    for (const demoKey of content.keys) {
      const created = await createDemoKey(tx, demoKey);
      keys.push({ tier: created.tier, name: created.name, reaches: reachOf(demoKey), key: created.key });
    }
    for (const { email, passwordHash } of signIns) {
      const { id } = await getUserByEmail(tx, email);
      await savePasswordHash(tx, id, passwordHash);
      await markEmailVerified(tx, id);
    }
    const people = signIns.map(({ email, password, can }) => ({ email, password, can }));
    return { result: { counts, keys, people }, record: { tool: "svc:demo load", request: {}, result: counts } };
  });
  return result;
}

/**
 * The images were drawn from this content, so a change to it makes them stale: each shows the speakers whom its metadata names.
 * Imported posters may show anything.
 */
async function noteWhatPostersShow(tx: Queryable): Promise<void> {
  const posters = await tx.query<{ id: string; facts: PosterFacts; speakers: unknown }>(sql`
    select p.id, ${factsNow} as facts, p.metadata -> 'speakers' as speakers
    from posters p join events e on e.id = p.event_id`);
  const shown = posters.map(({ id, facts, speakers }) => ({
    id,
    facts: { ...facts, speakers: speakersNamed({ speakers }, facts.speakers) },
  }));
  await tx.query(sql`
    update posters p set drawn_from = shown.facts
    from jsonb_to_recordset(${JSON.stringify(shown)}) as shown (id uuid, facts jsonb) where p.id = shown.id`);
}

/** A new password for each installation: a demo may be reachable by others. */
async function createSignIn({ email, can }: DemoSignIn) {
  const password = randomToken().slice(0, 16);
  return { email, can, password, passwordHash: await hashPassword(password) };
}

async function createDemoKey(tx: Queryable, key: DemoKey): Promise<CreatedKey> {
  const common = { name: key.name, lifetimeDays: keyLifetimeDays(key.tier, undefined), createdBy: null };
  switch (key.tier) {
    case "super-admin":
      return createKey(tx, { ...common, tier: key.tier });
    case "conference":
      return createKey(tx, { ...common, tier: key.tier, conferenceId: await getConferenceId(tx, key.conference) });
    case "organization": {
      const organizationId = await getOrganizationId(tx, key.organization);
      const user = await getUserByEmail(tx, key.user);
      return createKey(tx, { ...common, tier: key.tier, organizationId, scopes: [...scopes], createdBy: user.id });
    }
  }
}

function reachOf(key: DemoKey): string {
  if (key.tier === "super-admin") return "everything";
  return key.tier === "conference" ? key.conference : key.organization;
}

async function* asChunks(document: object): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify(document));
}
