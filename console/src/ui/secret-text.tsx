import { useEffect } from "react";
import { guard } from "../drafts/unsaved.ts";
import { CopyButton } from "./copy-button.tsx";
import styles from "./secret-text.module.css";

type Props = {
  text: string;
  /** What it is: "key", "link". */
  what: string;
  /** Leaving the page asks first. */
  asks?: boolean;
};

/** A key or a link that is shown once, with a button that copies it. */
export function SecretText({ text, what, asks = false }: Props) {
  useEffect(() => {
    if (!asks) return;
    const loss = {
      title: `Leave without the ${what}?`,
      text: `The ${what} is shown only this once. Copy it and store it first: you cannot see it again.`,
    };
    return guard({ isKept: () => false, loss });
  }, [what, asks]);
  return (
    <div className={styles.box}>
      <code className={styles.text}>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  );
}
