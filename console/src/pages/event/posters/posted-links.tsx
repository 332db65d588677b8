import { useState } from "react";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { maximumUrl } from "../../../../../contract/nouns.ts";
import type { ChangeRequest } from "../../../change/change-request.ts";
import { useChange } from "../../../change/use-change.tsx";
import { useSave } from "../../../change/use-save.ts";
import { DraftNotice } from "../../../drafts/draft-notice.tsx";
import { useDraft } from "../../../drafts/use-draft.ts";
import { isWebAddress } from "../../../format/texts.ts";
import { findPlatform, platformName, platforms, shareUrl } from "../../../share/platforms.ts";
import { Button, ExternalButtonLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Form } from "../../../ui/form.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { ExternalLink } from "../../../ui/link.tsx";
import { Select } from "../../../ui/select.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { type CurrentEvent, useEvent } from "../event-page.ts";
import { linksOf, titleOf } from "./poster.ts";
import styles from "./poster-dialog.module.css";

/** Where a poster was posted, by agents or by hand. */
export function PostedLinks({ poster }: { poster: EventPoster }) {
  const event = useEvent();
  const [isAdding, setAdding] = useState(false);
  const links = linksOf(poster);
  return (
    <>
      {links.length === 0 ? (
        <p className="muted">
          {poster.published
            ? "Not posted yet. When a posting agent reports a link, it appears here by itself."
            : "Agents post it once it is published."}
        </p>
      ) : (
        <ul>
          {links.map(({ platform, url }) => (
            <PostedLink key={platform} poster={poster} platform={platform} url={url} />
          ))}
        </ul>
      )}
      {event.can_edit &&
        poster.published &&
        (isAdding ? (
          <NewLink poster={poster} onClose={() => setAdding(false)} />
        ) : (
          <div>
            <Button size="small" icon="plus" onPress={() => setAdding(true)}>
              I posted it myself
            </Button>
          </div>
        ))}
    </>
  );
}

function PostedLink({ poster, platform, url }: { poster: EventPoster; platform: string; url: string }) {
  const event = useEvent();
  const change = useChange();
  const name = platformName(platform, url);
  const share = shareUrl(platform, url);
  return (
    <li className={styles.line}>
      <span className="column fills breaks keeps-lines">
        <ExternalLink href={url}>{name}</ExternalLink>
        <span className="ellipsis muted tiny" title={url}>
          {url}
        </span>
      </span>
      <CopyButton text={url} what={`link to ${name}`} compact />
      {event.can_edit && (
        <IconButton
          icon="trash"
          size="small"
          label={`Remove the link to ${name}`}
          onPress={() => change.open(linkChange(event, poster, platform, null))}
        />
      )}
      {share !== undefined && (
        <ExternalButtonLink href={share} size="small" icon="share">
          Reshare<span className="visually-hidden"> on {name}, opens in a new tab</span>
        </ExternalButtonLink>
      )}
    </li>
  );
}

/** Sets or, without an address, removes the link of a poster to a platform. */
function linkChange(event: CurrentEvent, poster: EventPoster, platform: string, url: string | null): ChangeRequest {
  const name = platformName(platform, url ?? "");
  const title = titleOf(poster);
  return {
    tool: "set_event_poster_links",
    args: { event_id: event.id, poster_id: poster.id, posted_urls: { [platform]: url } },
    title: url === null ? `Remove the link to ${name}` : `Note the post on ${name}`,
    reason: url === null ? `Removed the link of ${title} to ${name}` : `Posted ${title} on ${name} by hand`,
    confirmLabel: url === null ? "Remove link" : "Save link",
    danger: url === null,
    done: url === null ? "Link removed" : "Link saved",
  };
}

type NewLinkDraft = {
  url: string;
  /** Undecided, it is the one of the address. */
  platform: string | null;
};

const noLink: NewLinkDraft = { url: "", platform: null };

function NewLink({ poster, onClose }: { poster: EventPoster; onClose: () => void }) {
  const event = useEvent();
  const draft = useDraft({
    form: `new-link ${poster.id}`,
    source: noLink,
    read: (empty) => empty,
    check: ({ url }) => ({
      url: isWebAddress(url)
        ? undefined
        : "Paste the whole address of the post, such as https://www.linkedin.com/posts/…",
    }),
  });
  const save = useSave(draft, onClose);
  const address = draft.values.url.trim();
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, "") : "";
  const names = platforms.map(({ name }): string => name);
  const platform = draft.values.platform ?? findPlatform("", address)?.name ?? (host === "" ? null : host);
  const submit = async () => {
    if (draft.submitted() !== undefined) await save(linkChange(event, poster, platform ?? host, address));
  };
  return (
    <Form label="Link of a post" onSubmit={submit}>
      <DraftNotice draft={draft} />
      <TextField
        label="Link to the post"
        type="url"
        {...draft.bind("url")}
        placeholder="https://"
        maxLength={maximumUrl}
        autoFocus
      />
      <Select
        label="Platform"
        placeholder="Known from the link"
        value={platform}
        onChange={(chosen) => draft.set({ platform: chosen })}
        options={(host === "" || findPlatform("", address) !== undefined ? names : [...names, host]).map((name) => ({
          value: name,
          label: name,
        }))}
      />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" isDisabled={address === ""}>
          Save link
        </Button>
        <Button size="small" onPress={draft.closing(onClose)}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
