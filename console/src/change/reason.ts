import type { FieldChange, Json } from "../api/tools.ts";
import { formatCount } from "../format/counts.ts";

export const longestReason = 500;

/** What is wrong with a reason; the service checks the same. */
export function reasonProblem(reason: string): string | undefined {
  if (reason.trim() === "") return "Say why.";
  if (reason.length > longestReason)
    return `At most ${longestReason} characters; this has ${formatCount(reason.length)}.`;
  return undefined;
}

/** A reason that describes the change, as long as the service takes. */
export const shortReason = (text: string): string =>
  text.length <= longestReason ? text : `${text.slice(0, longestReason - 1)}…`;

/** The name under which a reason is kept that was written: it comes back for the same change only. */
export function reasonDraft(tool: string, title: string, args: Json): string {
  const ids = Object.entries(args).flatMap(([name, value]) =>
    name.endsWith("_id") && typeof value === "string" ? [value] : [],
  );
  return ["reason", tool, title, ...ids].join(" ");
}

type Asks = (args: Json, changes: readonly FieldChange[]) => boolean;

const always: Asks = () => true;
const unpublishes: Asks = ({ published }) => published === false;
/** A status says only in the preview what it was before. */
const leavesPublished: Asks = (_, changes) =>
  changes.some(({ path, from }) => /(^|\.)status$/.test(path) && from === "published");

/**
 * The changes whose reason somebody will want to know later: they take something from people, or make it end. The reason of
 * any other change is what was done, which nobody has to type.
 */
const asking: Readonly<Record<string, Asks>> = {
  decline_event_registration: always,
  batch_update_event_registrations: ({ action }) => action === "decline",
  remove_event_cohost: always,
  remove_event_speaker: always,
  remove_event_segment: always,
  remove_event_poster: always,
  remove_member: always,
  remove_person: always,
  leave_organization: always,
  set_platform_admin: ({ platform_admin }) => platform_admin === false,
  withdraw_invitation: always,
  revoke_api_key: always,
  revoke_door_link: always,
  revoke_platform_key: always,
  disconnect_app: always,
  set_event_poster_links: ({ posted_urls }) => Object.values(posted_urls as Json).includes(null),
  set_event_poster_publication: unpublishes,
  set_event_run_of_show_publication: unpublishes,
  update_event_details: leavesPublished,
  set_event_status: leavesPublished,
  set_conference_status: leavesPublished,
  set_event_primary_host: always,
  set_event_host: always,
  cancel_event: always,
};

/** Whether a person is asked for the reason of a change; some only once the preview says what it changes. */
export const asksForReason = (tool: string, args: Json, changes: readonly FieldChange[] = []): boolean =>
  Object.hasOwn(asking, tool) && asking[tool]?.(args, changes) === true;
