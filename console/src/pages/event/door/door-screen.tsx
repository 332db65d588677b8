import { Suspense, useCallback, useDeferredValue, useEffect, useState } from "react";
import { useBrandColor } from "../../../shell/theme.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { lazyPart } from "../../../ui/lazy-part.ts";
import styles from "./door.module.css";
import { DoorBar } from "./door-bar.tsx";
import type { DoorFrame } from "./door-frame.ts";
import { DoorHeader } from "./door-header.tsx";
import type { DoorState, DoorStore } from "./door-store.ts";
import type { DoorGuest } from "./door-types.ts";
import { GuestRows } from "./guest-rows.tsx";
import { RecentRows } from "./recent-rows.tsx";
import { Scanner } from "./scanner.tsx";
import { useDoorState } from "./use-door.ts";
import { VerdictScreen } from "./verdict-screen.tsx";

/** Loaded when it is first opened, which needs a connection anyway. */
const WalkInDialog = lazyPart(() => import("./walk-in-dialog.tsx"), "WalkInDialog");

/** Check-in for a phone in one hand: a guest takes three seconds, with or without a connection. */
export function DoorScreen({ store, frame }: { store: DoorStore | undefined; frame: DoorFrame }) {
  useBrandColor(frame.brandColor);
  useVisibleHeight();
  return (
    <main id="main" tabIndex={-1} className={styles.door}>
      {store !== undefined && <OpenDoor store={store} frame={frame} />}
    </main>
  );
}

const shownResults = 40;

function OpenDoor({ store, frame }: { store: DoorStore; frame: DoorFrame }) {
  const state = useDoorState(store);
  const [query, setQuery] = useState("");
  const [isScanning, setScanning] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const zone = state.event?.timezone ?? "UTC";
  const words = useDeferredValue(query).trim();
  const found = words === "" ? store.listExpected(shownResults) : store.search(words, shownResults);
  const next = useCallback(() => {
    store.dismissVerdict();
    setQuery("");
  }, [store]);
  const check = (guest: DoorGuest) => void store.checkIn(guest);
  const unreachable = state.connection === "online" ? undefined : frame.unreachable[state.connection];
  const isEmpty = state.event === undefined && state.known === 0;
  return (
    <>
      <DoorHeader state={state} frame={frame} onDismiss={(key) => void store.queue.dismiss(key)} />
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
              searched={frame.searched.toLowerCase()}
              whenNobodyIsLeft={state.expected === 0 ? "No guest is approved yet." : "Everybody is in."}
              zone={zone}
              arrivalOf={(guest) => store.arrivalOf(guest)}
              onPress={check}
              onReload={state.connection === "online" ? () => void store.refresh(true) : undefined}
            />
            <div className={styles.add}>
              <AddButton unreachable={unreachable} onPress={() => setAdding(true)} />
            </div>
          </>
        )}
      </div>
      <DoorBar
        searched={frame.searched}
        query={query}
        onQuery={setQuery}
        isScanning={isScanning}
        onScan={() => setScanning(!isScanning)}
        onEnter={() => {
          const [only] = store.search(query, 2);
          if (only !== undefined && store.search(query, 2).length === 1) check(only);
        }}
      />
      <Suspense>
        {isAdding && (
          <WalkInDialog
            store={store}
            event={frame.event}
            unreachable={unreachable}
            searched={query.trim()}
            onClose={() => setAdding(false)}
          />
        )}
      </Suspense>
      {state.verdict !== undefined && (
        <VerdictScreen
          verdict={state.verdict}
          zone={zone}
          mayUndo={frame.undoesAll || isDoneHere(state)}
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

function AddButton({ unreachable, onPress }: { unreachable: string | undefined; onPress: () => void }) {
  if (unreachable !== undefined) return <p className="muted small">{unreachable}</p>;
  return (
    <Button icon="plus" onPress={onPress}>
      Add a guest who is not on the list
    </Button>
  );
}

/** What is shown was done on this device. */
const isDoneHere = ({ verdict, recent }: DoorState): boolean =>
  recent.some(({ guest }) => guest.id === verdict?.guest?.id);

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
