import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { call } from "../../../api/client.ts";
import { eventKey } from "../../../api/query-keys.ts";
import { useOrganization } from "../../../api/session.ts";
import { countOf } from "../../../format/counts.ts";
import { formatRange } from "../../../format/times.ts";
import { usePageTitle } from "../../../shell/page-title.tsx";
import { useBrandColor } from "../../../shell/theme.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { PageSkeleton } from "../../../ui/skeleton.tsx";
import styles from "./print.module.css";
import { QrCode } from "./qr-code.tsx";

/** The codes of all approved guests on paper, to cut out or to put on badges. */
export function GuestCodesPage() {
  usePageTitle("Guest codes");
  const organization = useOrganization();
  useBrandColor(organization.brand_primary_color);
  const { event = "" } = useParams({ strict: false });
  const codes = useInfiniteQuery({
    queryKey: eventKey(organization.id, event, "codes"),
    queryFn: ({ pageParam, signal }) =>
      call("guestCodes", { organization: organization.id, event, query: { cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = codes;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const details = codes.data?.pages[0]?.event;
  const guests = codes.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <PageHeader
        title="Guest codes"
        {...(details === undefined ? {} : { description: <EventLine {...details} /> })}
        actions={
          <>
            <ButtonLink
              to="/o/$organization/events/$event/guests"
              params={{ organization: organization.slug, event }}
              icon="arrow-left"
            >
              Guests
            </ButtonLink>
            <Button
              kind="primary"
              onPress={() => window.print()}
              isDisabled={guests.length === 0 || hasNextPage}
              isPending={hasNextPage && !isError}
            >
              Print {countOf(guests.length, "code")}
            </Button>
          </>
        }
      />
      {isError ? (
        <ErrorState error={codes.error} onRetry={() => void fetchNextPage()} />
      ) : details === undefined ? (
        <PageSkeleton />
      ) : guests.length === 0 ? (
        <EmptyState icon="qr" title="Nobody is approved yet">
          Approved guests get a code.
        </EmptyState>
      ) : (
        <ul className={styles.cards}>
          {guests.map(({ id, name, ticket_type, code }) => (
            <li key={id} className={styles.card}>
              <div className={styles.picture}>
                <QrCode text={code} label={`Guest code of ${name}`} />
              </div>
              <div className={styles.texts}>
                <strong className={styles.name} dir="auto">
                  {name}
                </strong>
                {ticket_type !== null && <span dir="auto">{ticket_type}</span>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

type EventTimes = { name: string; start_time: string; end_time: string; timezone: string };

const EventLine = ({ name, start_time, end_time, timezone }: EventTimes) => (
  <span dir="auto">
    {name}, {formatRange(start_time, end_time, timezone)}
  </span>
);
