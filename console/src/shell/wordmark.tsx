import styles from "./wordmark.module.css";

export function Wordmark() {
  return (
    <span className={styles.wordmark}>
      <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
        <rect width="32" height="32" rx="8" className={styles.tile} />
        <path d="M9 10.5h14M9 16h9M9 21.5h12" className={styles.lines} />
      </svg>
      Event platform
    </span>
  );
}
