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
export function PageSkeleton() {
  return (
    <div className={styles.page}>
      <Skeleton width="240px" height="34px" label="Loading" />
      {["72%", "64%", "80%", "58%", "68%", "76%"].map((width) => (
        <Skeleton key={width} width={width} height="20px" />
      ))}
    </div>
  );
}

/** The titles of a table that loads, and some rows. */
export function TableSkeleton({ label, rows, rowHeight }: { label: string; rows: number; rowHeight: string }) {
  return (
    <div className="column gap-2">
      <Skeleton height="36px" label={label} />
      {Array.from({ length: rows }, (_, index) => `row ${index}`).map((key) => (
        <Skeleton key={key} height={rowHeight} />
      ))}
    </div>
  );
}
