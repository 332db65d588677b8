import type { ReactNode } from "react";
import { Wordmark } from "../../shell/wordmark.tsx";
import { classes } from "../../ui/classes.ts";
import { Link } from "../../ui/link.tsx";
import styles from "./sign-in.module.css";

type Props = {
  title: ReactNode;
  description?: ReactNode;
  /** For pages with more than a few fields. */
  wide?: boolean;
  children: ReactNode;
};

/** The look of the pages before sign-in: one column in the middle. */
export function SignInFrame({ title, description, wide = false, children }: Props) {
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" quiet>
          <Wordmark />
        </Link>
      </header>
      <main id="main" tabIndex={-1} className={classes(styles.column, wide && styles.wide)}>
        <div>
          <h1>{title}</h1>
          {description !== undefined && <p className={styles.description}>{description}</p>}
        </div>
        {children}
      </main>
    </div>
  );
}
