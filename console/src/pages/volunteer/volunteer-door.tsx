import { useEffect, useState } from "react";
import type { OpenedLink } from "../../../../contract/console/door-links.ts";
import { doorLinkActor } from "../../../../contract/door-links.ts";
import { countOf, formatCount } from "../../format/counts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ProblemNotice } from "../../ui/inline-notice.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { type DoorFrame, noConnection } from "../event/door/door-frame.ts";
import { DoorScreen } from "../event/door/door-screen.tsx";
import type { DoorStore } from "../event/door/door-store.ts";
import { useDoorState, useDoorStore, useDoorSync } from "../event/door/use-door.ts";
import { closeLink } from "./opened-link.ts";
import { volunteerApi } from "./volunteer-api.ts";

/** There are no live notices: the list is read again this often. */
const refreshMs = 10_000;

type Props = { opened: OpenedLink; onClosed: () => void };

/** The same door as that of the organization's people, with what a link allows. */
export function VolunteerDoor({ opened, onClosed }: Props) {
  const { link, event, organization, maker } = opened;
  const store = useDoorStore(volunteerApi, event.id, link);
  const [isLeaving, setLeaving] = useState(false);
  const frame: DoorFrame = {
    event: event.id,
    brandColor: organization.brand_primary_color,
    searched: "Name",
    undoesAll: false,
    leading: undefined,
    trailing: <IconButton icon="close" label="Sign out" onPress={() => setLeaving(true)} />,
    note: <bdi>{doorLinkActor(maker, link.name)}</bdi>,
    ended: (waiting) => (
      <Button kind="danger" size="small" icon="lock" onPress={() => onClosed()}>
        {waiting === 0 ? "Link ended" : `Link ended · ${formatCount(waiting)} waiting`}
      </Button>
    ),
    unreachable: {
      offline: noConnection,
      signed_out: "This door link has ended. Ask the organizers for another one to add guests.",
    },
  };
  return (
    <>
      <DoorScreen store={store} frame={frame} />
      {store !== undefined && <Sync store={store} link={link.id} onEnded={onClosed} />}
      {store !== undefined && isLeaving && (
        <SignOut store={store} onClose={() => setLeaving(false)} onClosed={onClosed} />
      )}
    </>
  );
}

function Sync({ store, link, onEnded }: { store: DoorStore; link: string; onEnded: () => void }) {
  useDoorSync(store, ["door-link", link], refreshMs);
  const hasEnded = useDoorState(store).connection === "signed_out";
  // The guests are not shown to somebody whose link was revoked.
  useEffect(() => {
    if (hasEnded) onEnded();
  }, [hasEnded, onEnded]);
  return null;
}

function SignOut({ store, onClose, onClosed }: { store: DoorStore; onClose: () => void; onClosed: () => void }) {
  const { waiting } = useDoorState(store);
  const { submit, isPending, problem } = useSubmit();
  const leave = async () => {
    await closeLink();
    onClosed();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="small"
      role="alertdialog"
      title="Sign out?"
      description={
        waiting === 0
          ? "The guests are removed from this device. To come back, open the link again and enter the PIN."
          : `${countOf(waiting, "check-in has", "check-ins have")} not been sent yet. They stay on this device, and are sent when a link of this event is opened on it again.`
      }
      footer={
        <>
          <Button onPress={onClose}>Stay</Button>
          <Button kind={waiting === 0 ? "primary" : "danger"} isPending={isPending} onPress={() => void submit(leave)}>
            Sign out
          </Button>
        </>
      }
    >
      <ProblemNotice text={problem?.text} />
    </Dialog>
  );
}
