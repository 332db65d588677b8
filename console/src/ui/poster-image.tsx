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

/** A poster in its real ratio. The thumbnail is shown until the picture has arrived; the space is reserved from the start. */
export function PosterImage({ src, thumbnail = null, alt, width, height, eager = false }: Props) {
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const loading = eager ? "eager" : "lazy";
  return (
    <span className={styles.poster} style={{ aspectRatio: `${width} / ${height}` }}>
      {thumbnail !== null && state !== "loaded" && (
        <img className={styles.image} src={thumbnail} alt="" loading={loading} decoding="async" />
      )}
      {state === "failed" ? (
        thumbnail === null && (
          <span className={styles.failed} role="img" aria-label={alt}>
            The picture could not be loaded
          </span>
        )
      ) : (
        <img
          className={classes(styles.image, state === "loaded" && styles.loaded, thumbnail !== null && styles.over)}
          src={src}
          alt={alt}
          width={width}
          height={height}
          loading={loading}
          decoding="async"
          onLoad={() => setState("loaded")}
          onError={() => setState("failed")}
        />
      )}
    </span>
  );
}
