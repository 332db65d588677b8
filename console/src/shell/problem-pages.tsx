import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { isApiError } from "../api/api-error.ts";
import type { Role } from "../api/session.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { usePageTitle } from "./page-title.tsx";

export function NotFoundPage() {
  usePageTitle("Not found");
  return (
    <EmptyState icon="search" title="There is no such page" action={<ButtonLink to="/">Go to the start</ButtonLink>}>
      The address may be mistyped, the page may be gone, or it belongs to an organization that you are not a member of.
    </EmptyState>
  );
}

type NoPermissionProps = { needed: Role /** What the page is for: "create and revoke API keys". */; what: string };

/** For pages that a role may not use: says which role may, and whom to ask. */
export function NoPermissionPage({ needed, what }: NoPermissionProps) {
  const people = needed === "owner" ? "Owners" : "Admins and owners";
  return (
    <EmptyState icon="lock" title="Your role does not allow this">
      {people} of the organization can {what}. Ask one of them to do it, or to change your role; “People” lists them.
    </EmptyState>
  );
}

/** What a page shows that failed to load or to draw. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (isApiError(error, "not_found")) return <NotFoundPage />;
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return <ErrorState error={error} onRetry={retry} />;
}
