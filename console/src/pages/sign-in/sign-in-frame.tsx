import type { ReactNode } from "react";
import { Wordmark } from "../../shell/wordmark.tsx";
import { Link } from "../../ui/link.tsx";
import styles from "./sign-in.module.css";

/** The look of the pages before sign-in: one column in the middle. */
export function SignInFrame({
  title,
  description,
  children,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" quiet>
          <Wordmark />
        </Link>
      </header>
      <main id="main" tabIndex={-1} className={styles.column}>
        <div>
          <h1>{title}</h1>
          {description !== undefined && <p className={styles.description}>{description}</p>}
        </div>
        {children}
      </main>
    </div>
  );
}
