import type { ReactNode } from "react";
import { CopyButton } from "../../../ui/copy-button.tsx";
import styles from "./poster-dialog.module.css";

type Props = { text: string; what: string; language?: string | undefined; children?: ReactNode };

/** A text with a button that copies it, and others. */
export function CopiedText({ text, what, language, children }: Props) {
  return (
    <div className={styles.line}>
      <span className="column fills breaks keeps-lines" dir="auto" lang={language}>
        {text}
      </span>
      <CopyButton text={text} what={what} compact />
      {children}
    </div>
  );
}
