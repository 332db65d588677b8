import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import type { Speaker } from "../../../../contract/console/event.ts";
import { useOrganization } from "../../api/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useEvent } from "./event-page.ts";
import { ReadOnlyNotice } from "./read-only-notice.tsx";
import { speakersQuery } from "./speaker.ts";
import { SpeakerCard } from "./speaker-card.tsx";
import styles from "./speakers.module.css";

/** Drag and drop is loaded when somebody wants to reorder. */
const SpeakerOrder = lazyPart(() => import("./speaker-order.tsx"), "SpeakerOrder");

const SpeakerDialog = lazyPart(() => import("./speaker-dialog.tsx"), "SpeakerDialog");

export function SpeakersPage() {
  const event = useEvent();
  const organization = useOrganization();
  const { data, error, refetch } = useQuery(speakersQuery(organization.id, event.id));
  const [isOrdering, setOrdering] = useState(false);
  const [edited, setEdited] = useState<Speaker | "new">();
  usePageTitle(`Speakers · ${event.name}`);
  if (data === undefined) {
    return error === null ? <SpeakersSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const { speakers } = data;
  const add = (
    <Button icon="plus" kind="primary" onPress={() => setEdited("new")}>
      Add speaker
    </Button>
  );
  return (
    <>
      <ReadOnlyNotice />
      <Section
        title="Speakers"
        description="In the order in which posters and pages name them."
        actions={
          event.can_edit &&
          !isOrdering && (
            <>
              {speakers.length > 1 && (
                <Button icon="drag" onPress={() => setOrdering(true)}>
                  Reorder
                </Button>
              )}
              {speakers.length > 0 && add}
            </>
          )
        }
      >
        {speakers.length === 0 && (
          <EmptyState icon="speaker" title="No speakers yet" action={event.can_edit && add}>
            Speakers appear on posters and in the run of show. Add the first one with a photo, so that posters can show
            it.
          </EmptyState>
        )}
        {isOrdering ? (
          <Suspense fallback={<SpeakersSkeleton />}>
            <SpeakerOrder speakers={speakers} onClose={() => setOrdering(false)} />
          </Suspense>
        ) : (
          <ol className={styles.cards}>
            {speakers.map((speaker) => (
              <SpeakerCard key={speaker.id} speaker={speaker} onEdit={() => setEdited(speaker)} />
            ))}
          </ol>
        )}
      </Section>
      {edited !== undefined && (
        <Suspense>
          <SpeakerDialog {...(edited === "new" ? {} : { speaker: edited })} onClose={() => setEdited(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function SpeakersSkeleton() {
  return (
    <div className={styles.cards}>
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton key={key} height="136px" {...(key === "a" ? { label: "Loading speakers" } : {})} />
      ))}
    </div>
  );
}
