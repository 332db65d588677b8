import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import styles from "./compare-dialog.module.css";
import { describePoster, titleOf } from "./poster.ts";
import { PosterState } from "./poster-card.tsx";
import { PosterPicture } from "./poster-picture.tsx";

const zooms = [1, 1.5, 2, 3, 4];

/** Two or three posters beside each other. They are enlarged and moved together, so that the same part is in view. */
export function CompareDialog({ posters, onClose }: { posters: EventPoster[]; onClose: () => void }) {
  const [level, setLevel] = useState(0);
  const zoom = zooms[level] ?? 1;
  const panes = useRef(new Map<string, HTMLElement>());
  const follow = useSynchronizedScroll(panes, zoom);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      size="full"
      title="Compare posters"
      footer={
        <>
          <fieldset className={styles.zoom} aria-label="Size">
            <IconButton
              icon="minus"
              label="Smaller"
              isDisabled={level === 0}
              onPress={() => setLevel((before) => Math.max(0, before - 1))}
            />
            <span role="status" className={styles.level}>
              {Math.round(zoom * 100)} %
            </span>
            <IconButton
              icon="plus"
              label="Larger"
              isDisabled={level === zooms.length - 1}
              onPress={() => setLevel((before) => Math.min(zooms.length - 1, before + 1))}
            />
          </fieldset>
          <Button onPress={onClose}>Close</Button>
        </>
      }
    >
      <div className={styles.panes}>
        {posters.map((poster) => (
          <Pane
            key={poster.id}
            poster={poster}
            zoom={zoom}
            onScroll={follow}
            paneRef={(element) => {
              if (element !== null) panes.current.set(poster.id, element);
              return () => void panes.current.delete(poster.id);
            }}
          />
        ))}
      </div>
    </Dialog>
  );
}

type PaneProps = {
  poster: EventPoster;
  zoom: number;
  onScroll: (pane: HTMLElement) => void;
  paneRef: (element: HTMLElement | null) => () => void;
};

function Pane({ poster, zoom, onScroll, paneRef }: PaneProps) {
  const { template, format } = describePoster(poster);
  const title = titleOf(poster);
  return (
    <figure className={styles.pane}>
      <section
        ref={paneRef}
        className={styles.view}
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an enlarged poster is moved with the arrow keys.
        tabIndex={0}
        onScroll={({ currentTarget }) => onScroll(currentTarget)}
      >
        <div className={styles.sheet} style={{ width: `${zoom * 100}%` }}>
          <PosterPicture poster={poster} />
        </div>
      </section>
      <figcaption className="column small">
        <span className="ellipsis medium" dir="auto">
          {title}
        </span>
        <span className="muted">{[template, format].filter((part) => part !== null).join(" · ")}</span>
        <PosterState poster={poster} />
      </figcaption>
    </figure>
  );
}

/** Keeps the same part of each poster in view: by share of its width and height, because they differ in size. */
function useSynchronizedScroll(panes: RefObject<Map<string, HTMLElement>>, zoom: number) {
  const center = useRef({ x: 0.5, y: 0.5 });
  const apply = (pane: HTMLElement) => {
    const left = center.current.x * pane.scrollWidth - pane.clientWidth / 2;
    const top = center.current.y * pane.scrollHeight - pane.clientHeight / 2;
    pane.scrollTo({ left, top, behavior: "instant" });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another size moves what is in view.
  useLayoutEffect(() => {
    for (const pane of panes.current.values()) apply(pane);
  }, [zoom]);
  const leader = useRef<{ pane: HTMLElement; until: number }>(undefined);
  return (pane: HTMLElement) => {
    const now = performance.now();
    // The others scroll because of this one: what they report would move it in turn.
    if (leader.current !== undefined && leader.current.pane !== pane && now < leader.current.until) return;
    leader.current = { pane, until: now + 150 };
    center.current = {
      x: (pane.scrollLeft + pane.clientWidth / 2) / pane.scrollWidth,
      y: (pane.scrollTop + pane.clientHeight / 2) / pane.scrollHeight,
    };
    for (const other of panes.current.values()) if (other !== pane) apply(other);
  };
}
