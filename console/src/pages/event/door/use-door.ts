import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Organization } from "../../../../../contract/console/account.ts";
import { useOnline } from "../../../api/connection.ts";
import { rememberSession } from "../../../api/offline-session.ts";
import { useOptionalOrganization, useSession } from "../../../api/session.ts";
import type { DoorApi } from "./door-api.ts";
import { openDoorDatabase } from "./door-database.ts";
import { type DoorState, DoorStore, type Person } from "./door-store.ts";
import { keepForOffline } from "./offline.ts";

/** The person and the organization as they were when the door was opened: a session may end while guests wait. */
export function useDoorKeeper(): { person: Person; organization: Organization } | undefined {
  const session = useSession();
  const organization = useOptionalOrganization();
  const kept = useRef<{ person: Person; organization: Organization }>(undefined);
  if (session.person !== null && organization !== undefined) kept.current = { person: session.person, organization };
  useEffect(() => {
    if (session.person !== null) rememberSession(session);
  }, [session]);
  return kept.current;
}

/** The store of an event's door, once what is on the device has been read. The same `api` each time. */
export function useDoorStore(api: DoorApi, event: string, person: Person): DoorStore | undefined {
  const [store, setStore] = useState<DoorStore>();
  const current = useRef(person);
  current.current = person;
  useEffect(() => {
    let opened: DoorStore | undefined;
    let isGone = false;
    void openDoorDatabase().then(async (database) => {
      opened = new DoorStore({ api, database, event, person: () => current.current });
      await opened.start();
      if (!isGone) setStore(opened);
    });
    return () => {
      isGone = true;
      opened?.queue.stop();
    };
  }, [api, event]);
  useEffect(() => void keepForOffline().catch(() => {}), []);
  return store;
}

export const useDoorState = (store: DoorStore): DoorState => useSyncExternalStore(store.subscribe, store.snapshot);

/** Follows what other devices do, and sends what waits as soon as there is a connection. */
export function useDoorSync(store: DoorStore, queryKey: readonly unknown[], refreshMs: number): void {
  const online = useOnline();
  useQuery({
    queryKey,
    queryFn: async () => {
      await store.refresh();
      return Date.now();
    },
    staleTime: 0,
    refetchInterval: refreshMs,
    refetchOnWindowFocus: "always",
  });
  useEffect(() => {
    if (!online) return store.queue.reportOffline();
    store.queue.reportReached();
    void store.queue.drain();
    void store.refresh();
  }, [online, store]);
}
