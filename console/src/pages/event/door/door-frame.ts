import type { ReactNode } from "react";
import type { Connection } from "./door-queue.ts";

/** What differs between the door of the organization's people and that of volunteers. */
export type DoorFrame = {
  event: string;
  brandColor: string | null;
  /** What the search looks at: "Name or e-mail". */
  searched: string;
  /** Volunteers take back only what this device has done. */
  undoesAll: boolean;
  /** At both ends of the first line. */
  leading: ReactNode;
  trailing: ReactNode;
  /** Under the name of the event. */
  note: ReactNode;
  /** What to do when the session has ended and check-ins may wait. */
  ended: (waiting: number) => ReactNode;
  /** Why nobody can be added without the service. */
  unreachable: Record<Exclude<Connection, "online">, string>;
};

export const noConnection =
  "There is no connection. Check-ins wait on this device, but adding a guest needs a connection.";
