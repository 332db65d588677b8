import { useState } from "react";
import type { EventPoster } from "../../../../../contract/console/event.ts";
import { useChange } from "../../../change/use-change.tsx";
import { Button } from "../../../ui/button.tsx";
import { Form } from "../../../ui/form.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { TextArea } from "../../../ui/text-field.tsx";
import { useEvent } from "../event-page.ts";
import { CopiedText } from "./copied-text.tsx";
import { describePoster, titleOf } from "./poster.ts";

/** As many as the service keeps. */
const mostCaptions = 10;
const longestCaption = 2000;

/** Texts to post with a poster: agents and people use the same. */
export function Captions({ poster }: { poster: EventPoster }) {
  const event = useEvent();
  const { captions, language } = describePoster(poster);
  const [edited, setEdited] = useState<number>();
  const save = useSaveCaptions(poster);
  const close = () => setEdited(undefined);
  const saveAt = async (index: number, text: string) => {
    const next = captions.with(index, text).filter((caption) => caption !== "");
    if ((await save(next)) !== undefined) close();
  };
  return (
    <>
      {captions.length === 0 && edited === undefined && (
        <p className="muted">This poster has none. Agents find the event’s details beside the picture.</p>
      )}
      <ul>
        {captions.map((caption, index) => (
          <li key={caption}>
            {edited === index ? (
              <CaptionForm caption={caption} onSave={(text) => void saveAt(index, text)} onClose={close} />
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
          caption=""
          onSave={(text) => void save([...captions, text]).then((saved) => saved !== undefined && close())}
          onClose={close}
        />
      ) : (
        event.can_edit &&
        captions.length < mostCaptions && (
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

function useSaveCaptions(poster: EventPoster) {
  const change = useChange();
  const event = useEvent();
  return (captions: string[]) =>
    change.open({
      tool: "update_event_poster",
      args: { event_id: event.id, poster_id: poster.id, metadata: { caption_ideas: captions } },
      title: `Change the captions of ${titleOf(poster)}`,
      confirmLabel: "Save captions",
      done: "Captions saved",
    });
}

type FormProps = { caption: string; onSave: (text: string) => void; onClose: () => void };

function CaptionForm({ caption, onSave, onClose }: FormProps) {
  const [text, setText] = useState(caption);
  const next = text.trim();
  const isRemoval = next === "" && caption !== "";
  return (
    <Form label="Caption" onSubmit={() => onSave(next)}>
      <TextArea
        label="Caption"
        value={text}
        onChange={setText}
        rows={5}
        maxLength={longestCaption}
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
        <Button size="small" onPress={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
