import { useParams } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useEffect, useState } from "react";
import type { Organization } from "../../../../../contract/console/account.ts";
import type { DoorGuest } from "../../../../../contract/console/guests.ts";
import { usePageTitle } from "../../../shell/page-title.tsx";
import { useBrandColor } from "../../../shell/theme.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import styles from "./door.module.css";
import { DoorBar } from "./door-bar.tsx";
import { DoorHeader } from "./door-header.tsx";
import type { DoorStore, Person } from "./door-store.ts";
import { GuestRows } from "./guest-rows.tsx";
import { RecentRows } from "./recent-rows.tsx";
import { Scanner } from "./scanner.tsx";
import { useDoorKeeper, useDoorState, useDoorStore, useDoorSync } from "./use-door.ts";
import { VerdictScreen } from "./verdict-screen.tsx";

/** Check-in for a phone in one hand: a guest takes three seconds, with or without a connection. */
export function DoorPage() {
  usePageTitle("Check-in");
  const { event = "" } = useParams({ strict: false });
  const keeper = useDoorKeeper();
  if (keeper === undefined) return null;
  return <Door event={event} {...keeper} />;
}

function Door({ event, organization, person }: { event: string; organization: Organization; person: Person }) {
  useBrandColor(organization.brand_primary_color);
  useVisibleHeight();
  const store = useDoorStore(organization, event, person);
  return (
    <main id="main" tabIndex={-1} className={styles.door}>
      {store !== undefined && <OpenDoor store={store} organization={organization} event={event} />}
    </main>
  );
}

const shownResults = 40;

function OpenDoor({ store, organization, event }: { store: DoorStore; organization: Organization; event: string }) {
  useDoorSync(store, organization, event);
  const state = useDoorState(store);
  const [query, setQuery] = useState("");
  const [isScanning, setScanning] = useState(false);
  const zone = state.event?.timezone ?? "UTC";
  const words = useDeferredValue(query).trim();
  const found = words === "" ? store.listExpected(shownResults) : store.search(words, shownResults);
  const next = useCallback(() => {
    store.dismissVerdict();
    setQuery("");
  }, [store]);
  const check = (guest: DoorGuest) => void store.checkIn(guest);
  const isEmpty = state.event === undefined && state.known === 0;
  return (
    <>
      <DoorHeader
        state={state}
        organization={organization}
        event={event}
        onDismiss={(key) => void store.queue.dismiss(key)}
      />
      {isScanning && (
        <Scanner
          isActive={state.verdict === undefined}
          onCode={(text) => void store.scan(text)}
          onClose={() => setScanning(false)}
        />
      )}
      <div className={styles.list}>
        {isEmpty && state.failure !== undefined && state.connection !== "offline" ? (
          <ErrorState error={state.failure} onRetry={() => void store.refresh(true)} />
        ) : isEmpty ? (
          <Waiting isOffline={state.connection === "offline"} />
        ) : (
          <>
            {words === "" && !isScanning && (
              <RecentRows entries={state.recent} zone={zone} onUndo={(id) => undoById(store, id)} />
            )}
            <GuestRows
              title={words === "" ? "Expected" : "Found"}
              guests={found}
              isSearch={words !== ""}
              whenNobodyIsLeft={state.expected === 0 ? "No guest is approved yet." : "Everybody is in."}
              zone={zone}
              arrivalOf={(guest) => store.arrivalOf(guest)}
              onPress={check}
              onReload={state.connection === "online" ? () => void store.refresh(true) : undefined}
            />
          </>
        )}
      </div>
      <DoorBar
        query={query}
        onQuery={setQuery}
        isScanning={isScanning}
        onScan={() => setScanning(!isScanning)}
        onEnter={() => {
          const [only] = store.search(query, 2);
          if (only !== undefined && store.search(query, 2).length === 1) check(only);
        }}
      />
      {state.verdict !== undefined && (
        <VerdictScreen
          verdict={state.verdict}
          zone={zone}
          onNext={next}
          onUndo={(guest) => {
            void store.undo(guest);
            setQuery("");
          }}
        />
      )}
    </>
  );
}

function undoById(store: DoorStore, id: string): void {
  const guest = store.find(id);
  if (guest !== undefined) void store.undo(guest);
}

function Waiting({ isOffline }: { isOffline: boolean }) {
  if (!isOffline) {
    return (
      <EmptyState icon="users" title="Loading guests">
        They stay on this device, so that check-in works without a connection.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon="offline" title="No connection, and no guests on this device yet">
      Open this page once with a connection. From then on it works without one.
    </EmptyState>
  );
}

/** The keyboard of a phone covers the lower edge: the page ends above it. */
function useVisibleHeight(): void {
  useEffect(() => {
    const viewport = window.visualViewport;
    if (viewport === null) return;
    const measure = () => document.documentElement.style.setProperty("--visible-height", `${viewport.height}px`);
    measure();
    viewport.addEventListener("resize", measure);
    return () => {
      viewport.removeEventListener("resize", measure);
      document.documentElement.style.removeProperty("--visible-height");
    };
  }, []);
}
