import { useEffect, useState } from "react";
import { Skeleton } from "../../../ui/skeleton.tsx";
import styles from "./preview-picture.module.css";

/** Drawing a poster takes a second or two, and longer when others draw too: an attempt that fails is repeated. */
const attempts = 4;
const pauseMs = 3000;

export function PreviewPicture({ src, width, height }: { src: string; width: number; height: number }) {
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const [attempt, setAttempt] = useState(1);
  useEffect(() => {
    if (state !== "failed" || attempt === attempts) return;
    const timer = setTimeout(() => {
      setAttempt(attempt + 1);
      setState("loading");
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [state, attempt]);
  return (
    <span className={styles.frame} style={{ aspectRatio: `${width} / ${height}` }}>
      {state !== "loaded" && !(state === "failed" && attempt === attempts) && <Skeleton height="100%" />}
      {state === "failed" ? (
        attempt === attempts && <span className={styles.failed}>The picture could not be drawn</span>
      ) : (
        <img
          key={attempt}
          className={styles.image}
          src={src}
          alt="What the poster would look like"
          data-loaded={state === "loaded" || undefined}
          onLoad={() => setState("loaded")}
          onError={() => setState("failed")}
        />
      )}
    </span>
  );
}
