import { useQuery } from "@tanstack/react-query";
import type { GuestEvent } from "../../../../contract/console/guests.ts";
import { countOf } from "../../format/counts.ts";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { openDoorDatabase } from "../event/door/door-database.ts";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";

/** The guests are no longer on this device; what waits to be sent is. */
export function EndedLink({ event }: { event: GuestEvent }) {
  const queue = useQuery({
    queryKey: ["waiting-at-door", event.id],
    queryFn: async () => (await openDoorDatabase()).readQueue(event.id),
    staleTime: 0,
  });
  const waiting = queue.data?.length ?? 0;
  return (
    <SignInFrame
      title="This door link has ended"
      description={
        <>
          It was for <bdi>{event.name}</bdi>. It may have been revoked, or the event is over.
        </>
      }
    >
      {waiting > 0 ? (
        <InlineNotice tone="warning" title={`${countOf(waiting, "check-in waits", "check-ins wait")} on this device`}>
          Ask the organizers for another link of this event, and open it here: then they are sent.
        </InlineNotice>
      ) : (
        <p>To go on, ask the organizers for another link.</p>
      )}
    </SignInFrame>
  );
}
