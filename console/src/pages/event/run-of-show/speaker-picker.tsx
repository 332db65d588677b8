import type { SpeakerName } from "../../../../../contract/console/event.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { ComboBox } from "../../../ui/combo-box.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { moved } from "../../../ui/order.ts";
import styles from "./speaker-picker.module.css";

type Props = {
  speakers: SpeakerName[];
  value: string[];
  onChange: (ids: string[]) => void;
  error: string | undefined;
};

/** Speakers of the event in the order in which they are on stage. */
export function SpeakerPicker({ speakers, value, onChange, error }: Props) {
  const chosen = value.map((id) => speakers.find((speaker) => speaker.id === id) ?? unknown(id));
  const others = speakers.filter(({ id }) => !value.includes(id));
  return (
    <div className="column gap-2">
      {speakers.length === 0 ? (
        <p className="muted small">The event has no speakers yet. Add them on the tab Speakers.</p>
      ) : (
        <ComboBox
          // A new field after each choice: it then is empty, and lists who is left.
          key={value.join(" ")}
          label="Add a speaker"
          optional
          placeholder={others.length === 0 ? "All speakers are in this segment" : "Type a name"}
          isDisabled={others.length === 0}
          options={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={null}
          onChange={(id) => id !== null && onChange([...value, id])}
          menuTrigger="focus"
          error={error}
        />
      )}
      {chosen.length > 0 && (
        <ol className="ruled" aria-label="Speakers of this segment">
          {chosen.map(({ id, name, photo_url }, index) => (
            <li key={id} className={styles.speaker}>
              <Avatar name={name} imageUrl={photo_url} size={24} />
              <bdi className="fills breaks">{name}</bdi>
              {chosen.length > 1 && (
                <IconButton
                  icon="arrow-up"
                  size="small"
                  label={`Move ${name} up`}
                  isDisabled={index === 0}
                  onPress={() => onChange(moved(value, id, -1))}
                />
              )}
              <IconButton
                icon="close"
                size="small"
                label={`Remove ${name}`}
                onPress={() => onChange(value.filter((other) => other !== id))}
              />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const unknown = (id: string): SpeakerName => ({ id, name: "Unknown speaker", photo_url: null });
