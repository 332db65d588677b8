import { CopyButton } from "./copy-button.tsx";
import styles from "./secret-text.module.css";

type Props = { text: string /** What it is: "key", "link". */; what: string };

/** A key or a link that is shown once, with a button that copies it. */
export function SecretText({ text, what }: Props) {
  return (
    <div className={styles.box}>
      <code className={styles.text}>{text}</code>
      <CopyButton text={text} what={what} />
    </div>
  );
}
