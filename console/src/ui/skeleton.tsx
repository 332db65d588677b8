import styles from "./skeleton.module.css";

type Props = {
  width?: string;
  height?: string /** Said by screen readers; give it to one skeleton of a page. */;
  label?: string;
};

/** Stands where something is loading, in its size, so that nothing moves when it arrives. */
export function Skeleton({ width = "100%", height = "1em", label }: Props) {
  return (
    <span
      className={styles.skeleton}
      style={{ width, height }}
      {...(label === undefined ? { "aria-hidden": true } : { role: "status" })}
    >
      {label !== undefined && <span className="visually-hidden">{label}</span>}
    </span>
  );
}

/** The usual shape of a page that loads: a title and some lines. */
export function PageSkeleton({ lines = 6 }: { lines?: number }) {
  const widths = ["72%", "64%", "80%", "58%", "68%", "76%"];
  return (
    <div className={styles.page}>
      <Skeleton width="240px" height="34px" label="Loading" />
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((key, index) => (
        <Skeleton key={key} width={widths[index % widths.length] ?? "70%"} height="20px" />
      ))}
    </div>
  );
}
