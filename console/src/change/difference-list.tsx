import { useState } from "react";
import type { Difference } from "../format/differences.ts";
import { wordDiff } from "../format/word-diff.ts";
import { classes } from "../ui/classes.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./difference-list.module.css";

/** What changes, field by field. Removed and added are marked by more than colour, and said by screen readers. */
export function DifferenceList({ differences }: { differences: Difference[] }) {
  return (
    <dl className="ruled">
      {differences.map((difference, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list is made once and never reordered.
        <div key={index} className={styles.row}>
          <dt className="muted" dir="auto">
            {difference.label}
          </dt>
          <dd className="shrinks breaks" dir="auto">
            <Value difference={difference} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ difference }: { difference: Difference }) {
  switch (difference.kind) {
    case "value":
      return <BeforeAfter {...difference} />;
    case "text":
      return <Words from={difference.from} to={difference.to} />;
    case "order":
      return (
        <ol className={styles.order}>
          {difference.to.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ol>
      );
    case "row":
      return (
        <>
          <span className={difference.change === "added" ? styles.added : styles.removed}>
            {difference.change === "added" ? "Added" : "Removed"}
          </span>
          <ul className={styles.fields}>
            {difference.fields.map(({ name, value }) => (
              <li key={name}>
                <span className="muted">{name}:</span> {value}
              </li>
            ))}
          </ul>
        </>
      );
  }
}

function BeforeAfter({ label, from, to, isPicture = false }: Difference & { kind: "value" }) {
  const show = (value: string | null) =>
    value === null ? <em>empty</em> : isPicture ? <ChangedPicture name={label} address={value} /> : value;
  return (
    <span className={classes(styles.beforeAfter, isPicture && styles.pictures)}>
      <span className="visually-hidden">from </span>
      <span className={styles.before}>{show(from)}</span>
      <span className="medium">
        <Icon name="arrow-right" size={14} className={styles.arrow ?? ""} />
        <span className="visually-hidden">to </span>
        {show(to)}
      </span>
    </span>
  );
}

/** Its address, if this browser cannot show it. */
function ChangedPicture({ name, address }: { name: string; address: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return address;
  return <img className={styles.picture} src={address} alt={name} onError={() => setBroken(true)} />;
}

function Words({ from, to }: { from: string; to: string }) {
  return (
    <span className="keeps-lines">
      {wordDiff(from, to).map(({ kind, text }, index) => {
        const key = `${index} ${kind}`;
        if (kind === "same") return <span key={key}>{text}</span>;
        const Mark = kind === "added" ? "ins" : "del";
        return (
          <Mark key={key} className={styles[kind]}>
            <span className="visually-hidden">{kind === "added" ? " [added:] " : " [removed:] "}</span>
            {text}
          </Mark>
        );
      })}
    </span>
  );
}
