import { useState } from "react";
import styles from "./avatar.module.css";
import { classes } from "./classes.ts";

type Props = { name: string; imageUrl?: string | null; size?: 24 | 32 | 48; square?: boolean };

/** In a small square, a logo that is wider than this is unreadable as a whole. */
const widestRatio = 1.8;

/** A person (round) or an organization (square): the picture, or initials until it is loaded. Its name stands beside it. */
export function Avatar({ name, imageUrl = null, size = 32, square = false }: Props) {
  const [loaded, setLoaded] = useState<{ address: string; isWide: boolean }>();
  return (
    <span className={classes(styles.avatar, styles[`size${size}`], square && styles.square)} aria-hidden="true">
      {initialsOf(name)}
      {imageUrl !== null && (
        <img
          className={classes(styles.picture, loaded?.isWide && styles.wide)}
          data-loaded={loaded?.address === imageUrl || undefined}
          src={imageUrl}
          alt=""
          decoding="async"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setLoaded({ address: imageUrl, isWide: naturalWidth > naturalHeight * widestRatio })
          }
        />
      )}
    </span>
  );
}

export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0] ?? "";
  const last = words.length > 1 ? (words.at(-1) ?? "") : "";
  return [first, last]
    .map((word) => [...word][0] ?? "")
    .join("")
    .toLocaleUpperCase("en");
}
