import { useState } from "react";
import styles from "./avatar.module.css";
import { classes } from "./classes.ts";

type Props = { name: string; imageUrl?: string | null; size?: 24 | 32 | 48; square?: boolean };

/** Wider or higher pictures, such as a logo with the name in it, are unreadable in a small square. */
const extremeRatio = 1.5;

/** A person (round) or an organization (square): the picture, else initials. Its name stands beside it. */
export function Avatar({ name, imageUrl = null, size = 32, square = false }: Props) {
  const [fitting, setFitting] = useState<string>();
  return (
    <span className={classes(styles.avatar, styles[`size${size}`], square && styles.square)} aria-hidden="true">
      {initialsOf(name)}
      {imageUrl !== null && (
        <img
          className={styles.picture}
          data-fits={fitting === imageUrl || undefined}
          src={imageUrl}
          alt=""
          decoding="async"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
            const ratio = naturalWidth / naturalHeight;
            if (ratio <= extremeRatio && ratio >= 1 / extremeRatio) setFitting(imageUrl);
          }}
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
