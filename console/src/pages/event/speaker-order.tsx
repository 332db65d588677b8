import type { Speaker } from "../../../../contract/console/event.ts";
import { useSave } from "../../change/use-save.ts";
import { DraftNotice } from "../../drafts/draft-notice.tsx";
import { useDraft } from "../../drafts/use-draft.ts";
import { Button } from "../../ui/button.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { withCurrent } from "../../ui/order.ts";
import { ReorderList } from "../../ui/reorder-list.tsx";
import { useEvent } from "./event-page.ts";
import styles from "./speaker-order.module.css";
import { SpeakerPortrait } from "./speaker-portrait.tsx";

/** Moves speakers. Nothing is saved before "Save order", which is one change. */
export function SpeakerOrder({ speakers, onClose }: { speakers: Speaker[]; onClose: () => void }) {
  const saved = speakers.map(({ id }) => id);
  const event = useEvent();
  const draft = useDraft({ form: `speaker-order ${event.id}`, source: saved, read: (order) => ({ order }) });
  const wanted = draft.values.order;
  const save = useSave(draft, onClose);
  const order = withCurrent(wanted, saved);
  const rows = order.flatMap((id) => speakers.find((speaker) => speaker.id === id) ?? []);
  const isChanged = order.some((id, index) => id !== saved[index]);
  const saveOrder = () =>
    save({
      tool: "reorder_event_speakers",
      args: { event_id: event.id, speaker_ids: order },
      title: "Change the order of speakers",
      reason: `Changed the order of speakers at ${event.name}`,
      confirmLabel: "Save order",
      done: "Order saved",
    });
  return (
    <>
      <DraftNotice draft={draft} />
      <p id="speaker-order-help" className={styles.help}>
        Drag by the handle, or use the arrows. With the keyboard: press Enter on a handle, choose the place with the
        arrow keys, and press Enter again.
      </p>
      <ReorderList
        label="Order of speakers"
        describedBy="speaker-order-help"
        rows={rows}
        nameOf={({ name }) => name}
        onReorder={(order) => draft.set({ order })}
        tall
      >
        {(speaker, place) => <Row speaker={speaker} place={place} />}
      </ReorderList>
      {wanted.length !== saved.length && (
        <InlineNotice tone="warning" live>
          Somebody added or removed a speaker meanwhile. New speakers are at the end.
        </InlineNotice>
      )}
      <div className={styles.actions}>
        <Button kind="primary" isDisabled={!isChanged} onPress={saveOrder}>
          Save order
        </Button>
        <Button onPress={draft.closing(onClose)}>Cancel</Button>
      </div>
    </>
  );
}

function Row({ speaker: { name, title, company, photo_url }, place }: { speaker: Speaker; place: number }) {
  return (
    <>
      <span className={styles.place}>{place + 1}</span>
      <SpeakerPortrait name={name} photo={photo_url} small />
      <span className="column fills">
        <bdi className="breaks medium">{name}</bdi>
        <span className="ellipsis muted small" dir="auto">
          {[title, company].filter((part) => part !== null).join(", ")}
        </span>
      </span>
    </>
  );
}
