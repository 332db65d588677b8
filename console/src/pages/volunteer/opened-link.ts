import type { OpenedLink } from "../../../../contract/console/door-links.ts";
import { isApiError, networkErrorCode } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { dropDraftsOf } from "../../drafts/kept-drafts.ts";
import { forgetAllGuests } from "../event/door/door-database.ts";

const name = "door-link";

/** The link that is open on this device, or was: `isOpen` is false once it has ended. */
export type KnownLink = { link: OpenedLink; isOpen: boolean };

/** Lets the door start again without a connection. The service still checks every request. */
const remember = (link: OpenedLink): void => localStorage.setItem(name, JSON.stringify(link));

function remembered(): OpenedLink | undefined {
  const stored = localStorage.getItem(name);
  return stored === null ? undefined : (JSON.parse(stored) as OpenedLink);
}

const readLink = (): Promise<OpenedLink> => call("openedDoor", {}, { withoutSession: true });

/** Opens the door on this device. */
export async function openLink(token: string, pin: string): Promise<void> {
  await call("openDoor", { body: { token, pin } }, { withoutSession: true });
  remember(await readLink());
}

/** Null where no link was opened on this device: the service is not asked then. */
export async function readOpenedLink(): Promise<KnownLink | null> {
  const before = remembered();
  if (before === undefined) return null;
  try {
    const link = await readLink();
    remember(link);
    return { link, isOpen: true };
  } catch (error) {
    if (isApiError(error, networkErrorCode)) return { link: before, isOpen: true };
    if (!isApiError(error, "unauthorized")) throw error;
    await forgetWhatWasSeen();
    return { link: before, isOpen: false };
  }
}

/** Signs this device out. Check-ins that wait stay on it. */
export async function closeLink(): Promise<void> {
  await call("closeDoor", {}, { withoutSession: true });
  localStorage.removeItem(name);
  await forgetWhatWasSeen();
}

/** Names of guests are for whoever may see them now. What waits to be sent stays. */
async function forgetWhatWasSeen(): Promise<void> {
  dropDraftsOf("nobody");
  await forgetAllGuests();
}
