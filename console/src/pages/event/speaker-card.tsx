import { useState } from "react";
import { capitalized } from "../../../../contract/capitalized.ts";
import type { Speaker } from "../../../../contract/console/event.ts";
import { useChange } from "../../change/use-change.tsx";
import { listOf } from "../../format/counts.ts";
import { platformName } from "../../share/platforms.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { Icon } from "../../ui/icon.tsx";
import { ExternalLink } from "../../ui/link.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { useEvent } from "./event-page.ts";
import { speakerRoles } from "./speaker.ts";
import { SpeakerPortrait } from "./speaker-portrait.tsx";
import styles from "./speakers.module.css";

/** A longer biography is folded. */
const foldedBio = 180;

export function SpeakerCard({ speaker, onEdit }: { speaker: Speaker; onEdit: () => void }) {
  const { name, title, company, role, bio, photo_url, links, segments } = speaker;
  const event = useEvent();
  const remove = useRemoveSpeaker(speaker);
  const [isOpen, setOpen] = useState(false);
  const isLong = bio !== null && bio.length > foldedBio;
  return (
    <li className={styles.card}>
      <SpeakerPortrait name={name} photo={photo_url} />
      <div className="column gap-1 fills">
        <div className={styles.heading}>
          <h3 className="shrinks breaks" dir="auto">
            {name}
          </h3>
          {role !== "speaker" && <Badge>{speakerRoles[role]}</Badge>}
          {event.can_edit && (
            <span className={styles.menu}>
              <Menu label={`Change ${name}`} size="small">
                <MenuItem label="Edit speaker" icon="edit" onAction={onEdit} />
                <MenuItem label="Remove speaker" icon="trash" danger onAction={remove} />
              </Menu>
            </span>
          )}
        </div>
        {(title !== null || company !== null) && (
          <p className="breaks muted" dir="auto">
            {[title, company].filter((part) => part !== null).join(", ")}
          </p>
        )}
        {bio !== null && (
          <p className={classes(styles.bio, isLong && !isOpen && styles.folded)} dir="auto">
            {bio}
          </p>
        )}
        {isLong && (
          <span>
            <Button kind="quiet" size="small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
              {isOpen ? "Show less" : "Show all"}
              <span className="visually-hidden"> about {name}</span>
            </Button>
          </span>
        )}
        {segments.length > 0 && (
          <p className={styles.segments}>
            <Icon name="clock" size={14} />
            <span dir="auto">{listOf(segments.map(({ title }) => title))}</span>
          </p>
        )}
        {Object.keys(links).length > 0 && (
          <p className={styles.links}>
            {Object.entries(links).map(([link, url]) => (
              <ExternalLink key={link} href={url}>
                {linkName(link, url)}
              </ExternalLink>
            ))}
          </p>
        )}
      </div>
    </li>
  );
}

const linkName = (link: string, url: string): string => capitalized(platformName(link, url));

function useRemoveSpeaker({ id, name, segments }: Speaker) {
  const change = useChange();
  const event = useEvent();
  return () =>
    void change.open({
      tool: "remove_event_speaker",
      args: { event_id: event.id, speaker_id: id },
      title: `Remove ${name}`,
      reason: `Removed ${name} from the speakers of ${event.name}`,
      confirmLabel: "Remove speaker",
      danger: true,
      warnings:
        segments.length === 0
          ? []
          : [`The run of show keeps ${listOf(segments.map(({ title }) => `“${title}”`))}, without ${name}.`],
      done: `${name} removed`,
    });
}
