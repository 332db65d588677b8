import { useState } from "react";
import { initialsOf } from "../../ui/avatar.tsx";
import { classes } from "../../ui/classes.ts";
import styles from "./speaker-portrait.module.css";

const tints = ["tint0", "tint1", "tint2", "tint3"] as const;

/** The photo, or initials on one of four tints, always the same for a name. The name stands beside it. */
export function SpeakerPortrait({
  name,
  photo,
  small = false,
}: {
  name: string;
  photo: string | null;
  small?: boolean;
}) {
  const [failed, setFailed] = useState<string>();
  const look = classes(styles.portrait, small && styles.small);
  if (photo !== null && failed !== photo) {
    return <img className={look} src={photo} alt="" loading="lazy" decoding="async" onError={() => setFailed(photo)} />;
  }
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return (
    <span className={classes(look, styles[tints[sum % tints.length] ?? "tint0"])} aria-hidden="true">
      {initialsOf(name)}
    </span>
  );
}
