import type { Dashboard } from "../../../../contract/console/organization.ts";
import { localZone } from "../../format/times.ts";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import styles from "./news-line.module.css";
import { newsInWords } from "./news-words.ts";

type Props = { slug: string; dashboard: Dashboard | undefined };

/** What happened since the last visit, in one line. */
export function NewsLine({ slug, dashboard }: Props) {
  if (dashboard === undefined) return <Skeleton width="320px" height="21px" />;
  const { since, news } = dashboard;
  if (since === null || news === null) return <span>What needs you, what agents posted, and your events.</span>;
  const happened = newsInWords(news);
  if (happened.length === 0) {
    return (
      <span>
        Nothing new since your last visit, <Time at={since} zone={localZone()} show="day" /> (
        <RelativeTime at={since} />
        ).
      </span>
    );
  }
  return (
    <span className={styles.line}>
      <span>
        Since your last visit <RelativeTime at={since} />:
      </span>
      {happened.map(({ name, words }) => (
        <span key={name} className={styles.news}>
          {name === "changes" ? (
            <Link to="/o/$organization/activity" params={{ organization: slug }} search={{ since }}>
              {words}
            </Link>
          ) : (
            words
          )}
        </span>
      ))}
    </span>
  );
}
