import { type ReactNode, useId } from "react";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { platformName, shareUrl } from "../../../share/platforms.ts";
import { Button, ExternalButtonLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { ExternalLink } from "../../../ui/link.tsx";
import { Time } from "../../../ui/time.tsx";
import { useEvent } from "../event-page.ts";
import { describePoster, linksOf, titleOf } from "./poster.ts";
import { PosterState } from "./poster-card.tsx";
import { usePublish } from "./poster-changes.tsx";
import styles from "./poster-dialog.module.css";
import { PosterPicture } from "./poster-picture.tsx";
import { StaleNote } from "./stale-note.tsx";

/** One poster, large, with all that is needed to post it and to share what was posted. */
export function PosterDialog({ poster, onClose }: { poster: EventPoster; onClose: () => void }) {
  const event = useEvent();
  const publish = usePublish();
  const { size, format, template, altText, captions, hashtags, language } = describePoster(poster);
  const links = linksOf(poster);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={titleOf(poster)}
      size="large"
      footer={
        <>
          <ExternalButtonLink href={poster.image_url} icon="external">
            Open the picture<span className="visually-hidden"> in a new tab</span>
          </ExternalButtonLink>
          {event.can_edit && (
            <Button
              kind={poster.published ? "secondary" : "primary"}
              onPress={() => void publish(poster, !poster.published)}
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
            {links.length === 0 ? (
              <p className="muted">
                {poster.published
                  ? "Not posted yet. When a posting agent reports a link, it appears here by itself."
                  : "Agents post it once it is published."}
              </p>
            ) : (
              <ul>
                {links.map(({ platform, url }) => (
                  <PostedLink key={platform} platform={platform} url={url} />
                ))}
              </ul>
            )}
          </Part>
          <Part title="Caption ideas">
            {captions.length === 0 ? (
              <p className="muted">This poster has none. Agents find the event’s details beside the picture.</p>
            ) : (
              <ul>
                {captions.map((caption) => (
                  <li key={caption}>
                    <CopiedText text={caption} what="caption" language={language} />
                  </li>
                ))}
              </ul>
            )}
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

function PostedLink({ platform, url }: { platform: string; url: string }) {
  const name = platformName(platform, url);
  const share = shareUrl(platform, url);
  return (
    <li className={styles.line}>
      <span className="column fills breaks keeps-lines">
        <ExternalLink href={url}>{name}</ExternalLink>
        <span className="ellipsis muted tiny" title={url}>
          {url}
        </span>
      </span>
      <CopyButton text={url} what={`link to ${name}`} compact />
      {share !== undefined && (
        <ExternalButtonLink href={share} size="small" icon="share">
          Reshare<span className="visually-hidden"> on {name}, opens in a new tab</span>
        </ExternalButtonLink>
      )}
    </li>
  );
}

function CopiedText({ text, what, language }: { text: string; what: string; language?: string | undefined }) {
  return (
    <div className={styles.line}>
      <span className="column fills breaks keeps-lines" dir="auto" lang={language}>
        {text}
      </span>
      <CopyButton text={text} what={what} compact />
    </div>
  );
}
