import { useState } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import type { Dashboard, DashboardPoster } from "../../../../contract/console/organization.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/paging.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { sizeOf } from "../../format/poster-size.ts";
import { platformName } from "../../share/platforms.ts";
import { Status } from "../../ui/badge.tsx";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { classes } from "../../ui/classes.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { ExternalLink, Link } from "../../ui/link.tsx";
import { PosterImage } from "../../ui/poster-image.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StaleNote } from "../event/posters/stale-note.tsx";
import { Panel } from "./panel.tsx";
import styles from "./poster-wall.module.css";
import { ShowMore } from "./show-more.tsx";

type State = "all" | "draft" | "unposted" | "posted";

const states: { value: State; label: string }[] = [
  { value: "all", label: "All" },
  { value: "draft", label: "Drafts" },
  { value: "unposted", label: "Not posted" },
  { value: "posted", label: "Posted" },
];

const emptyWords: Record<State, string> = {
  all: "No posters yet. Draw the first one on the Posters page of an event, or let an agent do it.",
  draft: "No drafts: every poster is published.",
  unposted: "Every published poster was posted somewhere.",
  posted: "No poster was posted yet.",
};

/** The posters as pictures, newest first, with their state and their links. */
export function PosterWall({
  organization,
  dashboard,
}: {
  organization: Organization;
  dashboard: Dashboard | undefined;
}) {
  const [state, setState] = useState<State>("all");
  const filters = state === "all" ? {} : { state };
  const pages = usePages(
    organizationKey(organization.id, "list", "posters", filters),
    (cursor, signal) => call("posters", { organization: organization.id, query: { ...filters, cursor } }, { signal }),
    dashboard === undefined ? { items: [], next_cursor: null } : state === "all" ? dashboard.posters : undefined,
  );
  return (
    <Panel
      title="Posters"
      actions={
        <ChoiceButtons look="chips" label="State of the posters" options={states} value={state} onChange={setState} />
      }
    >
      {pages.error !== null ? (
        <ErrorState error={pages.error} onRetry={pages.retry} />
      ) : dashboard === undefined || pages.isLoading ? (
        <LoadingPosters />
      ) : pages.items.length === 0 ? (
        <p className={styles.empty}>{emptyWords[state]}</p>
      ) : (
        <ul className={styles.wall}>
          {pages.items.map((poster, index) => (
            <PosterTile key={poster.id} poster={poster} slug={organization.slug} eager={index < 4} />
          ))}
        </ul>
      )}
      {pages.hasMore && pages.items.length > 0 && (
        <ShowMore isPending={pages.isLoadingMore} onPress={pages.showMore}>
          Show more posters
        </ShowMore>
      )}
    </Panel>
  );
}

function PosterTile({ poster, slug, eager }: { poster: DashboardPoster; slug: string; eager: boolean }) {
  const { width, height } = sizeOf(poster);
  const title = poster.title ?? `Poster of ${poster.event.name}`;
  return (
    <li
      className={classes(styles.tile, width > height && styles.wide)}
      style={{ "--ratio": width / height } as React.CSSProperties}
    >
      <Link
        to="/o/$organization/events/$event/posters"
        params={{ organization: slug, event: poster.event.id }}
        className={styles.picture}
        aria-label={`${title}: open the posters of ${poster.event.name}`}
      >
        <PosterImage
          src={poster.image_url}
          thumbnail={poster.thumbnail_url}
          alt={poster.alt_text ?? title}
          width={width}
          height={height}
          eager={eager}
        />
      </Link>
      <span className="ellipsis medium" dir="auto" title={title}>
        {title}
      </span>
      {title !== poster.event.name && (
        <span className="ellipsis muted small" dir="auto" title={poster.event.name}>
          {poster.event.name}
        </span>
      )}
      <PosterState poster={poster} />
      <StaleNote stale={poster.stale} />
      {poster.links.length > 0 && (
        <ul className={styles.links} aria-label="Posted on">
          {poster.links.map(({ platform, url }) => (
            <li key={platform}>
              <ExternalLink href={url} className="target">
                {platformName(platform, url)}
              </ExternalLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function PosterState({ poster: { published, links } }: { poster: DashboardPoster }) {
  if (!published) return <Status icon="edit">Draft</Status>;
  if (links.length === 0) return <Status tone="warning">Not posted</Status>;
  return <Status tone="success">Posted</Status>;
}

function LoadingPosters() {
  return (
    <div className={styles.wall}>
      {["a", "b", "c", "d"].map((key) => (
        <div key={key} className={styles.tile} style={{ "--ratio": 0.8 } as React.CSSProperties}>
          <div className={styles.blank}>
            <Skeleton height="100%" />
          </div>
          <Skeleton width="80%" height="21px" />
          <Skeleton width="60%" height="18px" />
          <Skeleton width="40%" height="20px" />
        </div>
      ))}
    </div>
  );
}
