import { type ReactNode, useId } from "react";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { askBeforeAll } from "../../../drafts/unsaved.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Time } from "../../../ui/time.tsx";
import { useEvent } from "../event-page.ts";
import { Captions } from "./captions.tsx";
import { CopiedText } from "./copied-text.tsx";
import { PostedLinks } from "./posted-links.tsx";
import { describePoster, titleOf } from "./poster.ts";
import { PosterState } from "./poster-card.tsx";
import { usePublish, useRedraw } from "./poster-changes.tsx";
import styles from "./poster-dialog.module.css";
import { DownloadPicture, SharePicture } from "./poster-file.tsx";
import { PosterPicture } from "./poster-picture.tsx";
import { StaleNote } from "./stale-note.tsx";

type Props = {
  poster: EventPoster;
  /** Something on it is old, and this person may have it drawn again. */
  canRedraw: boolean;
  onClose: () => void;
};

/** One poster, large, with all that is needed to post it and to share what was posted. */
export function PosterDialog({ poster, canRedraw, onClose }: Props) {
  const event = useEvent();
  const publish = usePublish();
  const redraw = useRedraw();
  const { size, format, template, altText, hashtags } = describePoster(poster);
  return (
    <Dialog
      isOpen
      onClose={() => askBeforeAll(onClose)}
      title={titleOf(poster)}
      size="large"
      footer={
        <>
          <DownloadPicture poster={poster} />
          <SharePicture poster={poster} />
          {canRedraw && <Button onPress={() => redraw.one(poster)}>Redraw</Button>}
          {event.can_edit && (
            <Button
              kind={poster.published ? "secondary" : "primary"}
              onPress={() => publish(poster, !poster.published)}
            >
              {poster.published ? "Unpublish" : "Publish poster"}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.layout}>
        <div className={styles.picture}>
          <PosterPicture poster={poster} />
        </div>
        <div className="column gap-5 shrinks">
          <p className={styles.facts}>
            <PosterState poster={poster} />
            <StaleNote stale={poster.stale} />
            <span>
              {[template, format, `${size.width} × ${size.height}`].filter((part) => part !== null).join(" · ")}
            </span>
            <span>
              Made <Time at={poster.created_at} zone={event.timezone} show="day" />
            </span>
          </p>
          <Part title="Posted links">
            <PostedLinks poster={poster} />
          </Part>
          <Part title="Caption ideas">
            <Captions poster={poster} />
          </Part>
          {hashtags.length > 0 && (
            <Part title="Hashtags">
              <CopiedText text={hashtags.join(" ")} what="hashtags" />
            </Part>
          )}
          {altText !== null && (
            <Part title="Description of the picture">
              <CopiedText text={altText} what="description" />
            </Part>
          )}
        </div>
      </div>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="column gap-1">
      <h3 id={id} className="small plain">
        {title}
      </h3>
      {children}
    </section>
  );
}
