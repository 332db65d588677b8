import sql from "sql-template-tag";
import { z } from "zod";
import type { Status } from "../../../../contract/nouns.js";
import type { AffectedByCancelling } from "../../../../contract/schema/proposals.js";
import { ticketingNote } from "../../../../contract/schema/registrations.js";
import type { Warning } from "../../../../contract/warnings.js";
import type { Queryable } from "../../../infra/database/db.js";
import { queryNamed } from "../../../infra/database/statement-names.js";
import { eventNotFound } from "../../../runner/known-ids.js";
import { defineEventMutation } from "../../../runner/mutation.js";
import { exampleIds } from "../../../schema/examples.js";
import { readAffected } from "../cancellation-store.js";

export const cancelEvent = defineEventMutation({
  name: "cancel_event",
  title: "Cancel an event",
  group: "event_management",
  description:
    "Archive an event, or withdraw a proposal: only your organization still sees it, and can only read it. The preview counts the guests and posted links concerned. Nobody is notified. revert_change brings the event back.",
  scope: "events:write",
  role: "admin",
  example: { event_id: exampleIds.event },
  addition: true,
  event: "host_or_cancelled",
  destructive: true,
  input: z.object({}),
  read: ({ tx, event }) => getStatus(tx, event.id),
  related: ({ tx, event }) => readAffected(tx, event.id),
  propose: () => ({ status: "archived" as const }),
  warnings: (_proposal, affected) => cancellingWarnings(affected),
  explain: (affects) => ({ affects }),
  // How many guests there are changes all the time.
  basis: ({ status }) => ({ status }),
  async store({ tx, event }) {
    await tx.query(sql`update events set status = 'archived', cancelled_at = now() where id = ${event.id}`);
  },
  report: (_proposal, event) => ticketingNote(event),
});

async function getStatus(tx: Queryable, eventId: string): Promise<{ status: Status }> {
  const [row] = await queryNamed<{ status: Status }>(tx, "get event status")`
    select status from events where id = ${eventId}`;
  if (row === undefined) throw eventNotFound();
  return row;
}

function cancellingWarnings({ guests, posted_links: links }: AffectedByCancelling): Warning[] {
  const states = (["approved", "pending", "waitlisted"] as const).filter((state) => guests[state] > 0);
  const counted = states.map((state) => `${guests[state]} ${state}`).join(", ");
  return [
    ...(states.length === 0
      ? []
      : [
          {
            code: "guests_not_told" as const,
            message: `Guests are not notified: ${counted}. Their addresses stay in the guest list`,
          },
        ]),
    ...(links.count === 0
      ? []
      : [
          {
            code: "links_stay" as const,
            message: `Posts stay where people see them: ${links.count} on ${links.platforms.join(", ")}. Remove them there`,
          },
        ]),
  ];
}
