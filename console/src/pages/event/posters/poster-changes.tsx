import { Suspense } from "react";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { maximumRedrawn } from "../../../../../contract/poster-designs.ts";
import type { Preview } from "../../../api/tools.ts";
import { useChange } from "../../../change/use-change.tsx";
import { countOf } from "../../../format/counts.ts";
import { lazyPart } from "../../../ui/lazy-part.ts";
import { useEvent } from "../event-page.ts";
import { titleOf } from "./poster.ts";
import styles from "./poster-changes.module.css";
import { PosterPicture } from "./poster-picture.tsx";

/** Loaded with the first preview. */
const RedrawnPictures = lazyPart(() => import("./redrawn-pictures.tsx"), "RedrawnPictures");

/** Draws posters again from what the event is now, after showing each before and after. */
export function useRedraw() {
  const change = useChange();
  const event = useEvent();
  const open = (what: string, args: { poster_ids?: string[] }, confirmLabel: string, done: string) =>
    change.open({
      tool: "redraw_event_posters",
      args: { event_id: event.id, ...args },
      title: `Redraw ${what}`,
      reason: `Redrew ${what} for ${event.name}`,
      confirms: true,
      size: "large",
      confirmLabel,
      describe: (preview) => (
        <Suspense>
          <RedrawnPictures preview={preview} />
        </Suspense>
      ),
      done,
    });
  return {
    one: (poster: EventPoster) =>
      open(titleOf(poster), { poster_ids: [poster.id] }, "Replace picture", "Poster redrawn"),
    /** Those that are outdated, as far as one change draws them. */
    outdated(inAll: number) {
      const count = Math.min(inAll, maximumRedrawn);
      const label = count === 1 ? "Replace picture" : `Replace ${count} pictures`;
      return open(countOf(count, "outdated poster"), {}, label, `${countOf(count, "poster")} redrawn`);
    },
  };
}

/** Publishes a poster, or takes it back, after showing it. */
export function usePublish() {
  const change = useChange();
  const event = useEvent();
  return (poster: EventPoster, published: boolean) => {
    const title = titleOf(poster);
    return change.open({
      tool: "set_event_poster_publication",
      args: { event_id: event.id, poster_id: poster.id, published },
      title: published ? `Publish ${title}` : `Unpublish ${title}`,
      reason: `${published ? "Published" : "Unpublished"} the poster ${title}`,
      confirmLabel: published ? "Publish poster" : "Unpublish poster",
      describe: (preview) => <PublishedPicture poster={poster} preview={preview} published={published} />,
      done: published ? "Poster published" : "Poster unpublished",
    });
  };
}

type PictureProps = { poster: EventPoster; preview: Preview; published: boolean };

function PublishedPicture({ poster, preview, published }: PictureProps) {
  const wasPublished = (preview.current.poster as { published?: boolean } | undefined)?.published === true;
  return (
    <div className="flex gap-4 start">
      <div className={styles.picture}>
        <PosterPicture poster={poster} />
      </div>
      <p>
        {wasPublished ? "Published" : "Draft"} <span aria-hidden="true">→</span>
        <span className="visually-hidden"> becomes </span> <strong>{published ? "Published" : "Draft"}</strong>
        <br />
        {published
          ? "Attendees and posting agents see it from now on, and agents may post it."
          : "Attendees and posting agents no longer see it."}
      </p>
    </div>
  );
}
