import { maximumAltText, maximumLine } from "../../../../../contract/nouns.ts";
import type { Preview } from "../../../api/tools.ts";
import { ChangeForm } from "../../../change/change-form.tsx";
import type { ChangeRequest } from "../../../change/change-request.ts";
import { useDraft } from "../../../drafts/use-draft.ts";
import { isWebAddress } from "../../../format/texts.ts";
import { PictureField } from "../../../ui/picture-field.tsx";
import { PosterImage } from "../../../ui/poster-image.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import { type CurrentEvent, useEvent } from "../event-page.ts";
import styles from "./draft-dialog.module.css";

const nothing = { picture: "", title: "", alt_text: "" };
type Finished = typeof nothing;

/** Adds a poster that was made elsewhere, as a draft. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const event = useEvent();
  const draft = useDraft({
    form: `finished-poster ${event.id}`,
    source: nothing,
    read: (values): Finished => values,
    check: ({ picture }) => ({ picture: isWebAddress(picture) ? undefined : "Choose the picture of the poster." }),
  });
  return (
    <ChangeForm
      title="Upload a poster"
      description="The poster becomes a draft: nobody else sees it before you publish it."
      label="Finished poster"
      submitLabel="Review poster"
      draft={draft}
      onClose={onClose}
      change={(values) => addition(event, values)}
    >
      <PictureField label="Picture" use="poster" event={event.id} {...draft.bind("picture")} />
      <TextField
        label="Title"
        optional
        maxLength={maximumLine}
        placeholder={event.name}
        description="The event’s name unless you write something else."
        {...draft.bind("title")}
      />
      <TextField
        label="What the picture shows"
        optional
        maxLength={maximumAltText}
        description="Read to people who cannot see it, here and where agents post it."
        {...draft.bind("alt_text")}
      />
    </ChangeForm>
  );
}

function addition(event: CurrentEvent, { picture, title, alt_text }: Finished): ChangeRequest {
  const texts = Object.entries({ title, alt_text }).map(([name, text]) => [name, text.trim()]);
  const name = title.trim() || event.name;
  return {
    tool: "add_event_poster",
    args: {
      event_id: event.id,
      image_url: picture.trim(),
      ...Object.fromEntries(texts.filter(([, text]) => text !== "")),
    },
    title: "Add this poster",
    reason: `Added the finished poster ${name}`,
    // The picture was drawn elsewhere.
    confirms: true,
    confirmLabel: "Save as draft",
    describe: (preview) => <AddedPicture picture={picture.trim()} preview={preview} name={name} />,
    done: "Poster saved as a draft",
  };
}

function AddedPicture({ picture, preview, name }: { picture: string; preview: Preview; name: string }) {
  const { width, height } = preview.proposed.material as { width: number; height: number };
  return (
    <div className={styles.resultPicture} data-wide={width > height || undefined}>
      <PosterImage src={picture} alt={name} width={width} height={height} eager />
    </div>
  );
}
