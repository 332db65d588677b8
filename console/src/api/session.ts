import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Organization, Person, Session } from "../../../contract/console/account.ts";
import { roles } from "../../../contract/roles.ts";
import { dropDraftsOf } from "../drafts/kept-drafts.ts";
import { letGo, unsavedNow } from "../drafts/unsaved.ts";
import { call } from "./client.ts";
import { forgetSession, orRememberedSession, worksOffline } from "./offline-session.ts";
import { queryClient } from "./query-client.ts";
import { sessionKey } from "./query-keys.ts";
import { renewalCount, renewSession, settleRenewal } from "./renewal.ts";

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }) => {
    const since = renewalCount();
    return orRenewed(await call("session", {}, { signal }).catch(orRememberedSession), since);
  },
  staleTime: 60_000,
});

export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

/** The signed-in person. Only on pages behind sign-in. */
export function usePerson(): Person {
  const { person } = useSession();
  if (person === null) throw new Error("usePerson: nobody is signed in");
  return person;
}

/** The organization of the page's path. Only below /o/:organization. */
export function useOrganization(): Organization {
  const organization = useOptionalOrganization();
  if (organization === undefined) throw new Error("useOrganization: the path names no organization of this person");
  return organization;
}

export function useOptionalOrganization(): Organization | undefined {
  const { organization } = useParams({ strict: false });
  return findOrganization(useSession(), organization);
}

export function findOrganization(session: Session, idOrSlug: string | undefined): Organization | undefined {
  return session.organizations.find(({ id, slug }) => slug === idOrSlug || id === idOrSlug);
}

const sessionNow = (): Session | undefined => queryClient.getQueryData(sessionKey);

/** The session of who was signed in until now; they sign in again before a page finds that nobody is. */
async function orRenewed(session: Session, since: number): Promise<Session> {
  const before = sessionNow();
  if (session.person !== null || before === undefined || before.person === null) return session;
  // At the door, work goes on without a connection and without a session.
  if (worksOffline()) return before;
  return (await renewSession(before.person, since)) ? (sessionNow() ?? session) : session;
}

/** The same person has signed in again: what is shown stays, and is read again. */
export function acceptRenewal(session: Session): void {
  queryClient.setQueryData(sessionKey, session);
  settleRenewal(true);
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** For forms that sign in: their response is the new session. */
export function acceptSession(session: Session): void {
  queryClient.clear();
  queryClient.setQueryData(sessionKey, session);
}

export async function signOut(): Promise<void> {
  await call("signOut", {}, { withoutSession: true });
  letGo(unsavedNow());
  const person = sessionNow()?.person;
  if (person != null) dropDraftsOf(person.id);
  // Nothing that the person has seen stays in memory.
  queryClient.clear();
  await forgetSession();
  forgetLastOrganization();
}

const lastOrganizationName = "last-organization";

export const rememberOrganization = (slug: string) => localStorage.setItem(lastOrganizationName, slug);
const forgetLastOrganization = () => localStorage.removeItem(lastOrganizationName);

/** The organization used last in this browser, else in any, else the one that the person may do most in. */
export function homeOrganizationOf(session: Session): Organization | undefined {
  const last = findOrganization(session, localStorage.getItem(lastOrganizationName) ?? undefined);
  const visitOf = ({ visited_at }: Organization) => visited_at ?? "";
  const order = (a: Organization, b: Organization) =>
    visitOf(b).localeCompare(visitOf(a)) || roles.indexOf(b.role) - roles.indexOf(a.role);
  return last ?? session.organizations.toSorted(order)[0];
}

/** Where a person goes after sign-in. */
export function homeOf(session: Session): string {
  const organization = homeOrganizationOf(session);
  if (organization !== undefined) return `/o/${organization.slug}`;
  return session.person?.platform_admin ? "/admin" : "/account";
}
