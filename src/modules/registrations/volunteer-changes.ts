import type { OrganizationCaller } from "../../access/caller.js";
import type { DoorLink } from "../../access/door-links.js";
import type { Database } from "../../infra/database/db.js";
import type { Observation } from "../../infra/observability/observation.js";
import type { MutationTool } from "../../runner/mutation.js";
import { callTool } from "../../runner/run.js";
import { addWalkIn } from "./tools/add-walk-in.js";
import { setEventRegistrationCheckIn } from "./tools/registration-transitions.js";

/** A request of somebody who has opened a door link. */
export type Volunteer = {
  db: Database;
  baseUrl: string;
  door: DoorLink;
  caller: OrganizationCaller;
  request: { observation: Observation };
};

type Commit = { reason: string; idempotency_key: string; expected_version: string };
type CheckIn = { registration_id: string; checked_in: boolean };
type WalkIn = { name: string; email: string };

/*
 * Volunteers change guests with the tools of the organization's people, whose results have more of a guest than volunteers
 * see: each function passes on what the door needs.
 */

export async function previewCheckIn(volunteer: Volunteer, checkIn: CheckIn) {
  const { current, commit_with } = await run(volunteer, setEventRegistrationCheckIn, checkIn);
  return { checked_in: current.registration.checked_in, expected_version: commit_with.expected_version };
}

export async function commitCheckIn(volunteer: Volunteer, checkIn: CheckIn & Commit): Promise<void> {
  await run(volunteer, setEventRegistrationCheckIn, committed(volunteer, checkIn));
}

export async function previewWalkIn(volunteer: Volunteer, walkIn: WalkIn) {
  const { warnings, commit_with } = await run(volunteer, addWalkIn, walkIn);
  return {
    warnings: (warnings as { message: string }[]).map(({ message }) => message),
    expected_version: commit_with.expected_version,
  };
}

export async function commitWalkIn(volunteer: Volunteer, walkIn: WalkIn & Commit) {
  const { after } = await run(volunteer, addWalkIn, committed(volunteer, walkIn));
  return { registration_id: after.registration.id };
}

/** The keys of a link are its own: it cannot meet, and so not learn of, a commit of the organization. */
const committed = ({ door }: Volunteer, given: Commit) => ({
  ...given,
  dry_run: false,
  confirm: true,
  idempotency_key: `${door.id} ${given.idempotency_key}`,
});

// biome-ignore lint/suspicious/noExplicitAny: each tool has a result of its own.
async function run(volunteer: Volunteer, tool: MutationTool<unknown>, given: object): Promise<any> {
  const { db, baseUrl, door, caller, request } = volunteer;
  const args = { ...given, event_id: door.eventId };
  return callTool({ db, baseUrl, services: undefined }, { tool, caller, args }, request.observation);
}
