import type { Scope } from "../../../../contract/scopes.ts";
import { scopeWords } from "./key-data.ts";
import styles from "./scope-list.module.css";

/** What a scope grants, and its name, which errors and the documentation use. */
export const ScopeTitle = ({ scope }: { scope: Scope }) => (
  <span className={styles.title}>
    {scopeWords[scope].title} <code className="faint tiny">{scope}</code>
  </span>
);

export const ScopeList = ({ scopes }: { scopes: Scope[] }) => (
  <ul className={styles.list}>
    {scopes.map((scope) => (
      <li key={scope}>
        <ScopeTitle scope={scope} />
        <span className="muted small">{scopeWords[scope].hint}</span>
      </li>
    ))}
  </ul>
);

/** For a cell of a table: what each grants in detail is on the page of the key. */
export const ScopeNames = ({ scopes }: { scopes: Scope[] }) => (
  <ul className={styles.names}>
    {scopes.map((scope) => (
      <li key={scope}>
        <ScopeTitle scope={scope} />
      </li>
    ))}
  </ul>
);
