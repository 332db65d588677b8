import { useEffect, useRef, useState } from "react";
import type { Organization } from "../../../../contract/console/account.ts";
import type { Dashboard, DashboardLink } from "../../../../contract/console/organization.ts";
import { roleAtLeast } from "../../../../contract/roles.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/paging.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { platformName, shareUrl } from "../../share/platforms.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink, ExternalButtonLink } from "../../ui/button.tsx";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { classes } from "../../ui/classes.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { ExternalLink } from "../../ui/link.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { RelativeTime } from "../../ui/time.tsx";
import styles from "./links-list.module.css";
import { Panel } from "./panel.tsx";
import { ShowMore } from "./show-more.tsx";

type Props = { organization: Organization; dashboard: Dashboard | undefined };

const all = "";
const keyOf = ({ poster, platform, url }: DashboardLink) => `${poster.id} ${platform} ${url}`;

/** Where agents posted the posters, newest first, ready to be copied and shared again. */
export function LinksList({ organization, dashboard }: Props) {
  const [platform, setPlatform] = useState(all);
  const first = platform === all ? dashboard?.links : undefined;
  const filters = platform === all ? {} : { platform };
  const filtered = usePages(
    organizationKey(organization.id, "list", "links", filters),
    (cursor, signal) => call("links", { organization: organization.id, query: { ...filters, cursor } }, { signal }),
    dashboard === undefined ? noLinks : first,
  );
  const arrived = useArrived(dashboard?.links.items);
  const names = platformsOf(dashboard?.platforms ?? [], platform);
  return (
    <Panel
      title="Posted links"
      actions={
        names.length > 1 && (
          <ChoiceButtons
            label="Platform"
            look="chips"
            value={platform}
            onChange={setPlatform}
            options={[{ value: all, label: "All" }, ...names]}
          />
        )
      }
    >
      <span role="status" className="visually-hidden">
        {arrived.newest === undefined ? "" : `New link on ${platformName(arrived.newest.platform, arrived.newest.url)}`}
      </span>
      {filtered.error !== null ? (
        <ErrorState error={filtered.error} onRetry={filtered.retry} />
      ) : dashboard === undefined || filtered.isLoading ? (
        <LoadingRows />
      ) : filtered.items.length === 0 ? (
        <NoLinks organization={organization} />
      ) : (
        <ul className={classes("column", filtered.isStale && styles.stale)}>
          {filtered.items.map((link) => (
            <LinkRow
              key={keyOf(link)}
              link={link}
              isNew={dashboard.since !== null && link.reported_at > dashboard.since}
              hasArrived={arrived.keys.has(keyOf(link))}
            />
          ))}
        </ul>
      )}
      {filtered.hasMore && filtered.items.length > 0 && (
        <ShowMore isPending={filtered.isLoadingMore} onPress={filtered.showMore}>
          Show more links
        </ShowMore>
      )}
    </Panel>
  );
}

const noLinks = { items: [], next_cursor: null };

/** The platforms and the chosen one, under the names that people use. */
function platformsOf(platforms: string[], chosen: string): { value: string; label: string }[] {
  const values = new Set(chosen === all ? platforms : [...platforms, chosen]);
  return [...values]
    .map((value) => ({ value, label: platformName(value, "") }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
}

/** How long a link that has just arrived is highlighted. */
const highlightMs = 8000;

/** The links that arrived while the page was open. */
function useArrived(links: DashboardLink[] | undefined) {
  const known = useRef<Set<string>>(undefined);
  const [fresh, setFresh] = useState<DashboardLink[]>([]);
  useEffect(() => {
    if (links === undefined) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...links.map(keyOf)]);
    // Older links move up when one is removed: only newer ones have arrived.
    const newest = links.findIndex((link) => before?.has(keyOf(link)));
    const added = before === undefined ? [] : links.slice(0, Math.max(newest, before.size === 0 ? links.length : 0));
    if (added.length > 0) setFresh(added);
  }, [links]);
  useEffect(() => {
    if (fresh.length === 0) return;
    const timer = setTimeout(() => setFresh([]), highlightMs);
    return () => clearTimeout(timer);
  }, [fresh]);
  return { keys: new Set(fresh.map(keyOf)), newest: fresh[0] };
}

function LinkRow({ link, isNew, hasArrived }: { link: DashboardLink; isNew: boolean; hasArrived: boolean }) {
  const { platform, url, reported_at, poster } = link;
  const name = platformName(platform, url);
  const share = shareUrl(platform, url);
  return (
    <li className={classes(styles.row, hasArrived && styles.arrived)} data-arrived={hasArrived || undefined}>
      <img
        className={styles.thumbnail}
        src={poster.thumbnail_url ?? poster.image_url}
        alt=""
        width={40}
        height={48}
        loading="lazy"
        decoding="async"
      />
      <div className="column shrinks">
        <span className={styles.first}>
          <ExternalLink href={url} quiet className="breaks medium">
            {name}
          </ExternalLink>
          {isNew && <Badge tone="accent">New</Badge>}
          <span className="faint small">
            <RelativeTime at={reported_at} />
          </span>
        </span>
        <span className="ellipsis muted small" dir="auto">
          {poster.title === null || poster.title === poster.event.name
            ? poster.event.name
            : `${poster.title} · ${poster.event.name}`}
        </span>
      </div>
      <div className="flex centered gap-1">
        <CopyButton text={url} what="link" compact />
        {share !== undefined && (
          <ExternalButtonLink href={share} size="small" icon="share">
            <span className={styles.reshare}>Reshare</span>
            <span className="visually-hidden"> on {name}, opens in a new tab</span>
          </ExternalButtonLink>
        )}
      </div>
    </li>
  );
}

function NoLinks({ organization }: { organization: Organization }) {
  const mayCreateKeys = roleAtLeast(organization.role, "owner");
  return (
    <div className={styles.empty}>
      <p>
        No links yet. When a posting agent has posted a published poster, it reports the address, and it appears here by
        itself.
      </p>
      <div className="flex wrap gap-2">
        {mayCreateKeys && (
          <ButtonLink
            to="/o/$organization/settings/keys"
            params={{ organization: organization.slug }}
            size="small"
            icon="key"
          >
            Create a key for an agent
          </ButtonLink>
        )}
        <ButtonLink to="/docs" size="small" kind="quiet" icon="book">
          How agents post
        </ButtonLink>
      </div>
    </div>
  );
}

function LoadingRows() {
  return (
    <div className="column">
      {["a", "b", "c", "d", "e"].map((key) => (
        <div key={key} className={styles.row}>
          <Skeleton width="40px" height="48px" />
          <div className="column shrinks">
            <Skeleton width="40%" height="21px" />
            <Skeleton width="70%" height="18px" />
          </div>
          <Skeleton width="120px" height="28px" />
        </div>
      ))}
    </div>
  );
}
