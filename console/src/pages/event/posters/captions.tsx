import { useState } from "react";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { maximumCaption, maximumCaptions } from "../../../../../contract/nouns.ts";
import type { ChangeRequest } from "../../../change/change-request.ts";
import { useSave } from "../../../change/use-save.ts";
import { DraftNotice } from "../../../drafts/draft-notice.tsx";
import { useDraft } from "../../../drafts/use-draft.ts";
import { Button } from "../../../ui/button.tsx";
import { Form } from "../../../ui/form.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { TextArea } from "../../../ui/text-field.tsx";
import { useEvent } from "../event-page.ts";
import { CopiedText } from "./copied-text.tsx";
import { describePoster, titleOf } from "./poster.ts";

/** Texts to post with a poster: agents and people use the same. */
export function Captions({ poster }: { poster: EventPoster }) {
  const event = useEvent();
  const { captions, language } = describePoster(poster);
  const [edited, setEdited] = useState<number>();
  const close = () => setEdited(undefined);
  const changeAt = (index: number, text: string): ChangeRequest => ({
    tool: "update_event_poster",
    args: {
      event_id: event.id,
      poster_id: poster.id,
      metadata: { caption_ideas: captions.toSpliced(index, 1, text).filter((caption) => caption !== "") },
    },
    title: `Change the captions of ${titleOf(poster)}`,
    reason: `Changed the captions of ${titleOf(poster)}`,
    confirmLabel: "Save captions",
    done: "Captions saved",
  });
  return (
    <>
      {captions.length === 0 && edited === undefined && (
        <p className="muted">This poster has none. Agents find the event’s details beside the picture.</p>
      )}
      <ul>
        {captions.map((caption, index) => (
          <li key={caption}>
            {edited === index ? (
              <CaptionForm
                form={`caption ${poster.id} ${index}`}
                caption={caption}
                changeTo={(text) => changeAt(index, text)}
                onClose={close}
              />
            ) : (
              <CopiedText text={caption} what="caption" language={language}>
                {event.can_edit && (
                  <IconButton
                    icon="edit"
                    size="small"
                    label={`Edit caption ${index + 1}`}
                    onPress={() => setEdited(index)}
                  />
                )}
              </CopiedText>
            )}
          </li>
        ))}
      </ul>
      {edited === captions.length ? (
        <CaptionForm
          form={`new-caption ${poster.id}`}
          caption=""
          changeTo={(text) => changeAt(captions.length, text)}
          onClose={close}
        />
      ) : (
        event.can_edit &&
        captions.length < maximumCaptions && (
          <div>
            <Button size="small" icon="plus" onPress={() => setEdited(captions.length)}>
              Add caption
            </Button>
          </div>
        )
      )}
    </>
  );
}

type FormProps = {
  /** Names its draft. */
  form: string;
  caption: string;
  changeTo: (text: string) => ChangeRequest;
  onClose: () => void;
};

const labels = { text: "Caption" };

function CaptionForm({ form, caption, changeTo, onClose }: FormProps) {
  const draft = useDraft({ form, source: caption, read: (text) => ({ text }), labels });
  const next = draft.values.text.trim();
  const isRemoval = next === "" && caption !== "";
  const save = useSave(draft, onClose);
  return (
    <Form label="Caption" onSubmit={() => save(changeTo(next))}>
      <DraftNotice draft={draft} />
      <TextArea
        label={labels.text}
        {...draft.bind("text")}
        rows={5}
        maxLength={maximumCaption}
        autoFocus
        {...(isRemoval ? { description: "Without a text the caption is removed." } : {})}
      />
      <div className="flex gap-2">
        <Button
          type="submit"
          kind="primary"
          size="small"
          isDisabled={next === caption || (next === "" && caption === "")}
        >
          {isRemoval ? "Remove caption" : "Save caption"}
        </Button>
        <Button size="small" onPress={draft.closing(onClose)}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
