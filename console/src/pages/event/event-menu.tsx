import { Suspense, useState } from "react";
import type { EventPage } from "../../../../contract/console/event.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { useOrganization } from "../../api/session.ts";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useCancelEvent } from "./cancel-event.tsx";

const DuplicateDialog = lazyPart(() => import("./duplicate-dialog.tsx"), "DuplicateDialog");

/** What is done with an event as a whole, for those who may. */
export function EventMenu({ page }: { page: EventPage }) {
  const { role } = useOrganization();
  const [isDuplicating, setDuplicating] = useState(false);
  const cancel = useCancelEvent();
  const { event, my_role, cancelled_at } = page;
  if (!roleAtLeast(role, "admin") || cancelled_at !== null) return null;
  const isProposal = event.status === "draft";
  return (
    <>
      <Menu label="More actions">
        <MenuItem
          icon="copy"
          label="Duplicate event"
          hint="With speakers, run of show and posters"
          onAction={() => setDuplicating(true)}
        />
        {my_role === "host" && (
          <MenuItem
            icon="trash"
            danger
            label={isProposal ? "Withdraw proposal" : "Cancel event"}
            hint={isProposal ? "Nobody decides about it any more" : "It disappears for guests and agents"}
            onAction={() => cancel(event)}
          />
        )}
      </Menu>
      {isDuplicating && (
        <Suspense>
          <DuplicateDialog event={event} onClose={() => setDuplicating(false)} />
        </Suspense>
      )}
    </>
  );
}
