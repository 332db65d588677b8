import { maximumLinkName, maximumLinks, maximumUrl } from "../../../../contract/nouns.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { profileLabels } from "./edited-profile.ts";
import styles from "./settings.module.css";

export type SocialLink = { id: number; platform: string; url: string };

type Props = { links: SocialLink[]; onChange: (links: SocialLink[]) => void; isOwner: boolean };

export function SocialLinks({ links, onChange, isOwner }: Props) {
  const replace = (id: number, part: Partial<SocialLink>) =>
    onChange(links.map((link) => (link.id === id ? { ...link, ...part } : link)));
  const add = () => onChange([...links, { id: Math.max(-1, ...links.map(({ id }) => id)) + 1, platform: "", url: "" }]);
  return (
    <fieldset className="column gap-3 start">
      <legend className={styles.legend}>{profileLabels.links}</legend>
      {links.length === 0 && <p className="faint small">None yet.</p>}
      {links.map(({ id, platform, url }) => (
        <div key={id} className={styles.link}>
          <TextField
            label="Platform"
            placeholder="instagram"
            value={platform}
            onChange={(value) => replace(id, { platform: value })}
            maxLength={maximumLinkName}
            isReadOnly={!isOwner}
          />
          <TextField
            label="Address"
            type="url"
            maxLength={maximumUrl}
            placeholder="https://"
            value={url}
            onChange={(value) => replace(id, { url: value })}
            isReadOnly={!isOwner}
          />
          {isOwner && (
            <IconButton
              icon="trash"
              label={`Remove ${platform || "link"}`}
              onPress={() => onChange(links.filter((link) => link.id !== id))}
            />
          )}
        </div>
      ))}
      {isOwner && links.length < maximumLinks && (
        <Button size="small" icon="plus" onPress={add}>
          Add link
        </Button>
      )}
    </fieldset>
  );
}
