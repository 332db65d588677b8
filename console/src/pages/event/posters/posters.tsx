import { useInfiniteQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { addressOf } from "../../../api/client.ts";
import { useOrganization } from "../../../api/session.ts";
import { usePageTitle } from "../../../shell/page-title.tsx";
import { Button, DownloadLink } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { lazyPart } from "../../../ui/lazy-part.ts";
import { Section } from "../../../ui/section.tsx";
import { SelectionBar } from "../../../ui/selection-bar.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useEvent, useEventPage } from "../event-page.ts";
import { ReadOnlyNotice } from "../read-only-notice.tsx";
import { OutdatedLine } from "./outdated-line.tsx";
import { postersQuery } from "./poster.ts";
import { PosterCard } from "./poster-card.tsx";
import { PosterDialog } from "./poster-dialog.tsx";
import styles from "./posters.module.css";

/** Loaded when they are opened. */
const DraftDialog = lazyPart(() => import("./draft-dialog.tsx"), "DraftDialog");
const UploadDialog = lazyPart(() => import("./upload-dialog.tsx"), "UploadDialog");
const CompareDialog = lazyPart(() => import("./compare-dialog.tsx"), "CompareDialog");

const mostCompared = 3;

export function PostersPage() {
  const event = useEvent();
  const organization = useOrganization();
  const query = useInfiniteQuery(postersQuery(organization.id, event.id));
  const [adding, setAdding] = useState<"drawn" | "finished">();
  usePageTitle(`Posters · ${event.name}`);
  const add = event.can_edit && (
    <>
      <Button icon="image" onPress={() => setAdding("finished")}>
        Upload poster
      </Button>
      <Button icon="plus" kind="primary" onPress={() => setAdding("drawn")}>
        Draw poster
      </Button>
    </>
  );
  const posters = query.data?.pages.flatMap((page) => page.items);
  const outdated = event.can_edit ? (query.data?.pages[0]?.outdated ?? []) : [];
  return (
    <>
      <ReadOnlyNotice />
      <Section
        title="Posters"
        description="Posting agents see published posters and report where they posted them."
        actions={
          posters !== undefined &&
          posters.length > 0 && (
            <>
              <DownloadLink href={addressOf("eventPictures", { organization: organization.id, event: event.id })}>
                Download pictures
              </DownloadLink>
              {add}
            </>
          )
        }
      >
        {posters === undefined ? (
          query.error === null ? (
            <PostersSkeleton />
          ) : (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )
        ) : posters.length === 0 ? (
          <EmptyState icon="image" title="No posters yet" action={add}>
            Draw the first one, or upload one that is finished. A drawn poster shows the event, its speakers and the
            host’s logo and colours. Nothing is visible to others before you publish it.
          </EmptyState>
        ) : (
          <>
            <OutdatedLine count={outdated.length} />
            <PosterGrid posters={posters} outdated={outdated} />
          </>
        )}
        {query.hasNextPage && (
          <div className={styles.more}>
            <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
              Show more posters
            </Button>
          </div>
        )}
      </Section>
      {adding !== undefined && (
        <Suspense>
          {adding === "drawn" ? (
            <DraftDialog onClose={() => setAdding(undefined)} />
          ) : (
            <UploadDialog onClose={() => setAdding(undefined)} />
          )}
        </Suspense>
      )}
    </>
  );
}

function PosterGrid({ posters, outdated }: { posters: EventPoster[]; outdated: string[] }) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [isComparing, setComparing] = useState(false);
  const [openId, setOpenId] = useState<string>();
  const compared = chosen.flatMap((id) => posters.find((poster) => poster.id === id) ?? []);
  const open = posters.find((poster) => poster.id === openId);
  const grid = useRef<HTMLUListElement>(null);
  // The bar that appears must not cover the checkboxes beside the one that was just used.
  useEffect(() => {
    if (chosen.length > 0)
      grid.current?.querySelector(":has(> label input:focus)")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, id].slice(-mostCompared) : before.filter((other) => other !== id)));
  return (
    <>
      <ul ref={grid} className={styles.grid}>
        {posters.map((poster, index) => (
          <PosterCard
            key={poster.id}
            poster={poster}
            eager={index < 4}
            isChosen={chosen.includes(poster.id)}
            onChoose={posters.length > 1 ? (isChosen) => choose(poster.id, isChosen) : undefined}
            onOpen={() => setOpenId(poster.id)}
          />
        ))}
      </ul>
      {compared.length > 0 && (
        <SelectionBar
          label="Comparison"
          count={compared.length}
          nothing={compared.length < 2 ? "Choose one or two more posters to compare." : undefined}
          onClear={() => setChosen([])}
        >
          <Button kind="primary" size="small" onPress={() => setComparing(true)}>
            Compare
          </Button>
        </SelectionBar>
      )}
      {open !== undefined && (
        <PosterDialog poster={open} canRedraw={outdated.includes(open.id)} onClose={() => setOpenId(undefined)} />
      )}
      {isComparing && (
        <Suspense>
          <CompareDialog posters={compared} onClose={() => setComparing(false)} />
        </Suspense>
      )}
    </>
  );
}

function PostersSkeleton() {
  const { posters } = useEventPage();
  const count = Math.min(Math.max(posters.drafts + posters.published, 1), 4);
  return (
    <div className={styles.grid}>
      {Array.from({ length: count }, (_, index) => `poster ${index}`).map((key, index) => (
        <div key={key} className={styles.skeleton}>
          <Skeleton height="100%" {...(index === 0 ? { label: "Loading posters" } : {})} />
        </div>
      ))}
    </div>
  );
}
