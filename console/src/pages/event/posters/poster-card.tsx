import type { CSSProperties } from "react";
import { Button as AriaButton } from "react-aria-components";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { listOf } from "../../../format/counts.ts";
import { platformName } from "../../../share/platforms.ts";
import { Status } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { useEvent } from "../event-page.ts";
import { describePoster, linksOf, titleOf } from "./poster.ts";
import { usePublish } from "./poster-changes.tsx";
import { PosterPicture } from "./poster-picture.tsx";
import styles from "./posters.module.css";
import { StaleNote } from "./stale-note.tsx";

type Props = {
  poster: EventPoster;
  eager: boolean;
  isChosen: boolean;
  /** Absent where there is nothing to compare with. */
  onChoose: ((isChosen: boolean) => void) | undefined;
  onOpen: () => void;
};

export function PosterCard({ poster, eager, isChosen, onChoose, onOpen }: Props) {
  const event = useEvent();
  const publish = usePublish();
  const { size, format, template } = describePoster(poster);
  const title = titleOf(poster);
  return (
    <li className={styles.card} style={{ "--ratio": size.width / size.height } as CSSProperties}>
      <AriaButton className={styles.picture ?? ""} aria-label={`Look at ${title}`} onPress={onOpen}>
        <PosterPicture poster={poster} eager={eager} />
      </AriaButton>
      <h3 className={styles.title} dir="auto">
        {title}
      </h3>
      <p className="muted small">{[template, format].filter((part) => part !== null).join(" · ") || "Own design"}</p>
      <div className="column">
        <PosterState poster={poster} />
        <StaleNote stale={poster.stale} />
      </div>
      <div className={styles.cardActions}>
        {event.can_edit && !poster.published && (
          <Button size="small" onPress={() => publish(poster, true)}>
            Publish<span className="visually-hidden"> {title}</span>
          </Button>
        )}
        <Button size="small" onPress={onOpen}>
          {poster.published ? "Share" : "Details"}
          <span className="visually-hidden"> {title}</span>
        </Button>
        {onChoose !== undefined && (
          <span className={styles.choose}>
            <Checkbox isSelected={isChosen} onChange={onChoose} aria-label={`Compare ${title}`}>
              Compare
            </Checkbox>
          </span>
        )}
      </div>
    </li>
  );
}

export function PosterState({ poster }: { poster: EventPoster }) {
  const links = linksOf(poster);
  if (!poster.published) return <Status icon="edit">Draft</Status>;
  if (links.length === 0) return <Status tone="warning">Published, not posted</Status>;
  return (
    <span className={styles.state}>
      <Status tone="success">Posted on</Status>
      <span className="muted">{listOf(links.map(({ platform, url }) => platformName(platform, url)))}</span>
    </span>
  );
}
