import type { Speaker } from "../../../../contract/console/event.ts";
import {
  maximumLine,
  maximumLinkName,
  maximumLinks,
  maximumText,
  maximumUrl,
  type SpeakerRole,
} from "../../../../contract/nouns.ts";
import type { Json } from "../../api/tools.ts";
import { ChangeForm } from "../../change/change-form.tsx";
import type { ChangeRequest } from "../../change/change-request.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { listOf } from "../../format/counts.ts";
import { wordsOf } from "../../format/differences.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { ProblemNotice } from "../../ui/inline-notice.tsx";
import { PictureField } from "../../ui/picture-field.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import { type CurrentEvent, useEvent } from "./event-page.ts";
import {
  type SpeakerForm,
  speakerArguments,
  speakerForm,
  speakerLabels,
  speakerProblems,
  speakerRoles,
} from "./speaker.ts";
import styles from "./speaker-dialog.module.css";

const roleOptions = (Object.keys(speakerRoles) as SpeakerRole[]).map((value) => ({
  value,
  label: speakerRoles[value],
}));

/** Adds a speaker, or edits one. Stays open until the change is made, so that nothing typed is lost. */
export function SpeakerDialog({ speaker, onClose }: { speaker?: Speaker; onClose: () => void }) {
  const event = useEvent();
  const draft = useDraft({
    form: speaker === undefined ? `new-speaker ${event.id}` : `speaker ${speaker.id}`,
    source: speaker,
    read: speakerForm,
    labels: speaker === undefined ? undefined : speakerLabels,
    check: speakerProblems,
  });
  const { bind: set } = draft;
  const args = speakerArguments(draft.values, draft.base);
  const isUnchanged = speaker !== undefined && Object.keys(args).length === 0;
  return (
    <ChangeForm
      draft={draft}
      size="large"
      title={speaker === undefined ? "Add a speaker" : `Edit ${speaker.name}`}
      label="Speaker"
      wide
      submitLabel={speaker === undefined ? "Add speaker" : "Save speaker"}
      isDisabled={isUnchanged}
      onClose={onClose}
      change={() =>
        isUnchanged ? undefined : changeOf({ event, speaker, args, confirms: draft.changedByOthers.length > 0 })
      }
    >
      <TextField label={speakerLabels.name} maxLength={maximumLine} autoFocus {...set("name")} />
      <PictureField
        label={speakerLabels.photo_url}
        optional
        use="photo"
        event={event.id}
        description="Posters show initials without one."
        {...set("photo_url")}
      />
      <div className={styles.pair}>
        <TextField label={speakerLabels.title} optional maxLength={maximumLine} {...set("title")} />
        <TextField label={speakerLabels.company} optional maxLength={maximumLine} {...set("company")} />
      </div>
      <Select label={speakerLabels.role} options={roleOptions} {...set("role")} />
      <TextArea label={speakerLabels.bio} optional rows={5} maxLength={maximumText} {...set("bio")} />
      <Links {...set("links")} />
    </ChangeForm>
  );
}

type Edited = { event: CurrentEvent; speaker: Speaker | undefined; args: Json; confirms: boolean };

function changeOf({ event, speaker, args, confirms }: Edited): ChangeRequest {
  if (speaker === undefined) {
    return {
      tool: "add_event_speaker",
      args: { event_id: event.id, ...args },
      title: `Add ${args.name}`,
      reason: `Added ${args.name} to the speakers of ${event.name}`,
      confirmLabel: "Add speaker",
      done: `${args.name} added`,
    };
  }
  const fields = Object.keys(args).map((field) => wordsOf(field).toLowerCase());
  return {
    tool: "update_event_speaker",
    args: { event_id: event.id, speaker_id: speaker.id, ...args },
    title: `Change ${speaker.name}`,
    reason: `Changed ${listOf(fields)} of ${speaker.name}`,
    confirmLabel: "Save speaker",
    confirms,
    done: `${args.name ?? speaker.name} saved`,
  };
}

type LinksProps = {
  value: SpeakerForm["links"];
  onChange: (links: SpeakerForm["links"]) => void;
  error: string | undefined;
};

function Links({ value: links, onChange, error }: LinksProps) {
  const replace = (key: number, changes: { name?: string; url?: string }) =>
    onChange(links.map((link) => (link.key === key ? { ...link, ...changes } : link)));
  const add = () => onChange([...links, { key: Math.max(-1, ...links.map(({ key }) => key)) + 1, name: "", url: "" }]);
  return (
    <fieldset className="column gap-3">
      <legend className={styles.legend}>
        {speakerLabels.links} <span className="faint regular">(optional)</span>
      </legend>
      {links.map(({ key, name, url }) => (
        <div key={key} className={styles.link}>
          <TextField
            label="Link name"
            maxLength={maximumLinkName}
            value={name}
            onChange={(text) => replace(key, { name: text })}
          />
          <TextField
            label="Link address"
            type="url"
            maxLength={maximumUrl}
            value={url}
            onChange={(text) => replace(key, { url: text })}
          />
          <IconButton
            icon="trash"
            label={`Remove the link ${name}`.trim()}
            onPress={() => onChange(links.filter((link) => link.key !== key))}
          />
        </div>
      ))}
      <ProblemNotice text={error} />
      {links.length < maximumLinks && (
        <span>
          <Button size="small" icon="plus" onPress={add}>
            Add link
          </Button>
        </span>
      )}
    </fieldset>
  );
}
