import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isApiError, missingPartCode } from "../api/api-error.ts";
import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { Link } from "../ui/link.tsx";
import { usePageTitle } from "./page-title.tsx";
import styles from "./problem-pages.module.css";
import { Wordmark } from "./wordmark.tsx";

export function NotFoundPage() {
  usePageTitle("Not found");
  return (
    <EmptyState
      icon="search"
      title="There is no such page"
      action={<ButtonLink to="/">Go to the home page</ButtonLink>}
      isPage
    >
      The address may be mistyped, the page may be gone, or it belongs to an organization that you are not a member of.
    </EmptyState>
  );
}

/** In the place of a page of an organization whose member the person was when it was opened. */
export function LeftOrganizationPage() {
  usePageTitle("No longer a member");
  return (
    <EmptyState
      icon="building"
      title="You are no longer a member of this organization"
      action={<ButtonLink to="/">Go to the home page</ButtonLink>}
      isPage
    >
      You have left it, or one of its owners has removed you. Owners can invite you again.
    </EmptyState>
  );
}

/** Around what is shown where no page has brought a frame of its own. */
function Bare({ children }: { children: ReactNode }) {
  return (
    <>
      <header className={styles.top}>
        <Link to="/" quiet>
          <Wordmark />
        </Link>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

export const BareNotFoundPage = () => (
  <Bare>
    <NotFoundPage />
  </Bare>
);

export const BareErrorPage = (props: ErrorComponentProps) => (
  <Bare>
    <ErrorPage {...props} />
  </Bare>
);

/** What a page shows that failed to load or to draw. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (isApiError(error, "not_found")) return <NotFoundPage />;
  const retry = () => {
    if (isApiError(error, missingPartCode)) return window.location.reload();
    reset();
    void router.invalidate();
  };
  return <ErrorState error={error} onRetry={retry} />;
}
