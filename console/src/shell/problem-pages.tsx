import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { isApiError } from "../api/api-error.ts";
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
