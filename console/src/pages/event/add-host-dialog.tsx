import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { HostCandidate } from "../../../../contract/console/organization.ts";
import { shortestSearch } from "../../../../contract/nouns.ts";
import { messageOf } from "../../api/api-error.ts";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";
import { useOrganization } from "../../api/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { useSettled } from "../../ui/use-settled.ts";
import { useEventPage } from "./event-page.ts";
import { useHostChanges } from "./host-changes.tsx";
import { HostLogo } from "./host-logo.tsx";
import styles from "./hosts.module.css";

/** Finds an organization and adds it, or hands the event over to it. */
export function AddHostDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const query = useSettled(text.trim(), 200);
  const { data, error, isFetching } = useCandidates(query);
  const isShort = query.length < shortestSearch;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add a co-host"
      description="By name you find organizations that host events at the same conferences. Others you find by their exact slug: ask them for it."
      footer={<Button onPress={onClose}>Close</Button>}
    >
      <div className={styles.search}>
        <SearchField label="Name or slug of the organization" value={text} onChange={setText} autoFocus />
      </div>
      {error !== null && <InlineNotice tone="danger">{messageOf(error)}</InlineNotice>}
      <div className={styles.results} aria-busy={isFetching}>
        {!isShort && data !== undefined && <Results found={data.organizations} query={query} onDone={onClose} />}
      </div>
    </Dialog>
  );
}

function Results({ found, query, onDone }: { found: HostCandidate[]; query: string; onDone: () => void }) {
  const { hosts } = useEventPage();
  const changes = useHostChanges();
  if (found.length === 0) {
    return (
      <p role="status" className={styles.nothing}>
        No organization is found by “{query}”. Check the spelling, or ask for the slug: it is in the address of their
        pages in this console.
      </p>
    );
  }
  const add = async (candidate: HostCandidate) => {
    if ((await changes.add(candidate)) !== undefined) onDone();
  };
  return (
    <ul className="ruled" aria-label="Organizations found">
      {found.map((candidate) => {
        const role = hosts.find(({ id }) => id === candidate.id)?.role;
        return (
          <li key={candidate.id} className={styles.host}>
            <HostLogo name={candidate.name} logo={candidate.logo_url} />
            <div className="column fills">
              <bdi className="breaks medium">{candidate.name}</bdi>
              <code className={styles.facts}>{candidate.slug}</code>
            </div>
            {role === undefined ? (
              <Button size="small" onPress={() => add(candidate)}>
                Add<span className="visually-hidden"> {candidate.name}</span>
              </Button>
            ) : (
              <Badge>{role === "host" ? "Host" : "Co-host"}</Badge>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function useCandidates(query: string) {
  const { id } = useOrganization();
  return useQuery({
    queryKey: organizationKey(id, "host-candidates", query),
    queryFn: ({ signal }) => call("hostCandidates", { organization: id, query: { query } }, { signal }),
    enabled: query.length >= shortestSearch,
    placeholderData: keepPreviousData,
  });
}
