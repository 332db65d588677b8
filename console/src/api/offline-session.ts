import type { Session } from "../../../contract/console/account.ts";
import { isApiError, networkErrorCode } from "./api-error.ts";

const name = "door-session";

/** Lets the door start again without a connection, as the person who used it last. The service still checks every request. */
export const rememberSession = (session: Session): void => localStorage.setItem(name, JSON.stringify(session));

/** The same for visitors, whose pages need no person. Whoever is remembered stays so. */
export function rememberVisitor(session: Session): void {
  if (localStorage.getItem(name) === null) rememberSession(session);
}

/** Also removes the guests that the door has loaded on this device. */
export async function forgetSession(): Promise<void> {
  if (localStorage.getItem(name) === null) return;
  localStorage.removeItem(name);
  const { forgetAllGuests } = await import("../pages/event/door/door-database.ts");
  await forgetAllGuests();
}

/** Whether this is the page of the door. */
export const worksOffline = (): boolean => location.pathname.endsWith("/door");

/** For the session's query: the remembered session where the service cannot be reached and the page works without it. */
export function orRememberedSession(error: unknown): Session {
  const stored = localStorage.getItem(name);
  if (stored === null || !isApiError(error, networkErrorCode) || !worksOffline()) throw error;
  return JSON.parse(stored) as Session;
}
