import { type Scope, scopes } from "../src/access/scopes.js";

export type DemoKey =
  | { tier: "super-admin"; name: string }
  | { tier: "conference"; name: string; conference: string }
  | { tier: "organization"; name: string; organization: string; user: string; scopes: readonly Scope[] };

/** The API keys of the demo. Their secrets are made when the demo is loaded: none is written here. */
export const demoKeys: readonly DemoKey[] = [
  { tier: "super-admin", name: "Demo platform administration" },
  { tier: "conference", name: "Demo posting agent of Meridian Lisbon", conference: "meridian-lisbon" },
  {
    tier: "organization",
    name: "Demo agent of Tidewater Labs",
    organization: "tidewater-labs",
    user: "sofia.almeida@tidewater.example.com",
    scopes,
  },
];
