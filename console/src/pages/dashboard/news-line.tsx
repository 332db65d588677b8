import { countOf, formatCount } from "../../format/counts.ts";
import { localZone } from "../../format/times.ts";
import { Link } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RelativeTime, Time } from "../../ui/time.tsx";
import type { Dashboard, News } from "./dashboard-data.ts";
import styles from "./news-line.module.css";

type Props = { slug: string; dashboard: Dashboard | undefined };

const kinds = [
  { name: "links", one: "link posted", many: "links posted" },
  { name: "guests", one: "guest registered", many: "guests registered" },
  { name: "changes", one: "change by others", many: "changes by others" },
] as const;

/** What happened since the last visit, in one line. */
export function NewsLine({ slug, dashboard }: Props) {
  if (dashboard === undefined) return <Skeleton width="320px" height="21px" />;
  const { since, news } = dashboard;
  if (since === null || news === null) return <span>What needs you, what agents posted, and your events.</span>;
  const happened = kinds.filter(({ name }) => news[name] > 0);
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
      {happened.map(({ name, one, many }) => (
        <span key={name} className={styles.news}>
          {name === "changes" ? (
            <Link to="/o/$organization/activity" params={{ organization: slug }} search={{ since }}>
              {wordsOf(news, name, one, many)}
            </Link>
          ) : (
            wordsOf(news, name, one, many)
          )}
        </span>
      ))}
    </span>
  );
}

function wordsOf(news: News, name: (typeof kinds)[number]["name"], one: string, many: string): string {
  const count = news[name];
  return count >= news.counted_at_most ? `${formatCount(count)} or more ${many}` : countOf(count, one, many);
}
