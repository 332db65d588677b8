import { useState } from "react";
import { classes } from "./classes.ts";
import styles from "./poster-image.module.css";

type Props = {
  src: string;
  thumbnail?: string | null;
  alt: string;
  /** Of the picture itself, in pixels; posters are 1080 × 1080, 1080 × 1350 or 1080 × 1920. */
  width: number;
  height: number;
  /** The first posters of a page are loaded at once. */
  eager?: boolean;
};

/** A poster in its real ratio, in a space that is reserved from the start. The thumbnail comes first. */
export function PosterImage({ src, thumbnail = null, alt, width, height, eager = false }: Props) {
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const [hasThumbnail, setHasThumbnail] = useState(thumbnail !== null);
  const loading = eager ? "eager" : "lazy";
  return (
    <span className={styles.poster} style={{ aspectRatio: `${width} / ${height}` }}>
      {/* It stays below the picture, which is drawn some time after it has arrived: the space would be empty until then. */}
      {thumbnail !== null && hasThumbnail && (
        <img
          className={styles.image}
          src={thumbnail}
          alt={state === "failed" ? alt : ""}
          loading={loading}
          decoding="sync"
          onError={() => setHasThumbnail(false)}
        />
      )}
      {state === "failed" ? (
        !hasThumbnail && (
          <span className={styles.failed} role="img" aria-label={alt}>
            The picture could not be loaded
          </span>
        )
      ) : (
        <img
          className={classes(styles.image, state === "loaded" && styles.loaded, hasThumbnail && styles.over)}
          src={src}
          alt={alt}
          width={width}
          height={height}
          loading={loading}
          decoding="async"
          fetchPriority={hasThumbnail ? "low" : "auto"}
          onLoad={() => setState("loaded")}
          onError={() => setState("failed")}
        />
      )}
    </span>
  );
}
