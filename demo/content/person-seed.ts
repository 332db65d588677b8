export type PersonSeed = { name: string; title: string; company: string; bio: string };
