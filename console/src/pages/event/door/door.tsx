import { useParams } from "@tanstack/react-router";
import { Suspense, useEffect, useMemo, useState } from "react";
import type { Organization } from "../../../../../contract/console/account.ts";
import { roleAtLeast } from "../../../../../contract/roles.ts";
import { useLive } from "../../../api/live.ts";
import { eventKey } from "../../../api/query-keys.ts";
import { formatCount } from "../../../format/counts.ts";
import { usePageTitle } from "../../../shell/page-title.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { lazyPart } from "../../../ui/lazy-part.ts";
import { Link } from "../../../ui/link.tsx";
import { doorApi } from "./door-api.ts";
import { type DoorFrame, noConnection } from "./door-frame.ts";
import styles from "./door-header.module.css";
import { DoorScreen } from "./door-screen.tsx";
import type { DoorStore, Person } from "./door-store.ts";
import { linkManifest } from "./offline.ts";
import { useDoorKeeper, useDoorStore, useDoorSync } from "./use-door.ts";

const DoorLinks = lazyPart(() => import("../door-links/door-links.tsx"), "DoorLinks");

/** A safety net below the live notices. */
const refreshMs = 30_000;

/** The door of an event for the people of its organization. */
export function DoorPage() {
  usePageTitle("Check-in");
  const { event = "" } = useParams({ strict: false });
  const keeper = useDoorKeeper();
  if (keeper === undefined) return null;
  return <Door event={event} {...keeper} />;
}

function Door({ event, organization, person }: { event: string; organization: Organization; person: Person }) {
  const api = useMemo(() => doorApi(organization.id, event), [organization.id, event]);
  const store = useDoorStore(api, event, person);
  const [showsLinks, setShowsLinks] = useState(false);
  useLive(organization.id);
  useEffect(() => linkManifest(organization.id, event), [organization.id, event]);
  const frame: DoorFrame = {
    event,
    brandColor: organization.brand_primary_color,
    searched: "Name or e-mail",
    undoesAll: true,
    leading: <BackToGuests organization={organization} event={event} />,
    trailing: roleAtLeast(organization.role, "admin") && (
      <IconButton icon="link" label="Door links for volunteers" onPress={() => setShowsLinks(true)} />
    ),
    note: undefined,
    ended: (waiting) => (
      <ButtonLink
        to="/sign-in"
        search={{ return_to: `/o/${organization.slug}/events/${event}/door` }}
        kind="danger"
        size="small"
        icon="lock"
      >
        {waiting === 0 ? "Sign in again" : `Sign in to send ${formatCount(waiting)}`}
      </ButtonLink>
    ),
    unreachable: {
      offline: noConnection,
      signed_out: "You are signed out. Sign in again to add guests; what you enter here is kept.",
    },
  };
  return (
    <>
      <DoorScreen store={store} frame={frame} />
      {store !== undefined && <Sync store={store} organization={organization} event={event} />}
      <Suspense>
        {showsLinks && <DoorLinks organization={organization} event={event} onClose={() => setShowsLinks(false)} />}
      </Suspense>
    </>
  );
}

function Sync({ store, organization, event }: { store: DoorStore; organization: Organization; event: string }) {
  useDoorSync(store, eventKey(organization.id, event, "door"), refreshMs);
  return null;
}

const BackToGuests = ({ organization, event }: { organization: Organization; event: string }) => (
  <Link
    to="/o/$organization/events/$event/guests"
    params={{ organization: organization.slug, event }}
    className={styles.back ?? ""}
    aria-label="Back to the guest list"
  >
    <Icon name="arrow-left" size={20} />
  </Link>
);
