import { Link } from "../../ui/link.tsx";
import styles from "./docs.module.css";
import { allPages } from "./site.ts";

/** The documentation can be read from front to back. */
export function NextPage({ path }: { path: string }) {
  const next = allPages[allPages.findIndex((page) => page.path === path) + 1];
  if (next === undefined) return null;
  return (
    <p className={styles.next}>
      Next: <Link to={next.path}>{next.title}</Link>
    </p>
  );
}
