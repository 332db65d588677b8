import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Organization } from "../../../../../contract/console/account.ts";
import type { ListedDoorLink } from "../../../../../contract/console/door-links.ts";
import { doorHoursAfterEvent, maximumDoorLinks } from "../../../../../contract/door-links.ts";
import { call } from "../../../api/client.ts";
import { eventKey } from "../../../api/query-keys.ts";
import { useChange } from "../../../change/use-change.tsx";
import { countOf } from "../../../format/counts.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Time } from "../../../ui/time.tsx";
import { CreateDoorLink } from "./create-door-link.tsx";
import styles from "./door-links.module.css";

const refreshMs = 10_000;

type Props = { organization: Organization; event: string; onClose: () => void };

/** The links with which volunteers work at the door of an event. */
export function DoorLinks({ organization, event, onClose }: Props) {
  const [isCreating, setCreating] = useState(false);
  const links = useQuery({
    queryKey: eventKey(organization.id, event, "door-links"),
    queryFn: ({ signal }) => call("doorLinks", { organization: organization.id, event }, { signal }),
    // That a phone has opened a link is no recorded change, of which pages are told.
    refetchInterval: refreshMs,
  });
  const revoke = useRevoke(event);
  const isFull = (links.data?.items.length ?? 0) >= maximumDoorLinks;
  if (isCreating) return <CreateDoorLink event={event} onClose={() => setCreating(false)} />;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Door links"
      description={`For volunteers without an account: with a link and its PIN they see the names of the guests of this event, check them in and add guests. It ends ${doorHoursAfterEvent} hours after the event.`}
      footer={
        <Button kind="primary" icon="plus" isDisabled={isFull} onPress={() => setCreating(true)}>
          Create door link
        </Button>
      }
    >
      {links.isPending ? (
        <Skeleton height="96px" />
      ) : links.isError ? (
        <ErrorState error={links.error} onRetry={() => void links.refetch()} />
      ) : links.data.items.length === 0 ? (
        <EmptyState icon="door" title="No door links yet">
          One for each entrance is enough: several phones can open it.
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {links.data.items.map((link) => (
            <li key={link.id} className={styles.row}>
              <LinkLines link={link} zone={links.data.timezone} />
              <Button size="small" onPress={() => void revoke(link)} aria-label={`Revoke ${link.name}`}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isFull && (
        <p className="muted small">An event has at most {maximumDoorLinks} links. Revoke one to create another.</p>
      )}
    </Dialog>
  );
}

const stateWords = {
  locked: "Locked after too many wrong PINs. Phones that opened it before go on; for others, create another link.",
  ended: "Ended: the event is over or not listed, or who made the link may no longer manage its events.",
} as const;

function LinkLines({ link, zone }: { link: ListedDoorLink; zone: string }) {
  const { name, state, ends_at, last_used_at, devices, created_by } = link;
  return (
    <div className="fills">
      <p className="flex wrap centered gap-2 breaks">
        <strong dir="auto">{name}</strong>
        {state !== "open" && (
          <Badge tone={state === "locked" ? "warning" : "neutral"}>{state === "locked" ? "Locked" : "Ended"}</Badge>
        )}
      </p>
      {state !== "open" && <p className="small">{stateWords[state]}</p>}
      <p className="muted small">
        By <bdi>{created_by.name}</bdi>, until <Time at={ends_at} zone={zone} />
      </p>
      <p className="muted small">
        {last_used_at === null ? (
          "Not opened yet"
        ) : (
          <>
            {countOf(devices, "phone", "phones")}, last used <Time at={last_used_at} zone={zone} />
          </>
        )}
      </p>
    </div>
  );
}

function useRevoke(event: string) {
  const change = useChange();
  return ({ id, name }: ListedDoorLink) =>
    change.open({
      tool: "revoke_door_link",
      args: { event_id: event, door_link_id: id },
      title: `Revoke ${name}`,
      reason: `Revoked the door link ${name}`,
      confirmLabel: "Revoke link",
      danger: true,
      done: `${name} is revoked`,
      warnings: ["Phones that have opened it are signed out at once. Check-ins that wait on them stay there."],
    });
}
