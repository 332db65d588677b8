import { peopleAToK } from "./people-a-to-k.js";
import { peopleLToZ } from "./people-l-to-z.js";
import type { PersonSeed } from "./person-seed.js";

export type PersonKey = keyof typeof peopleAToK | keyof typeof peopleLToZ;

/** Everybody who speaks somewhere, by key. */
export const people: Record<PersonKey, PersonSeed> = { ...peopleAToK, ...peopleLToZ };
