import { type RefObject, useEffect, useRef, useState } from "react";
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from "react-aria-components";
import { useChange } from "../../change/use-change.tsx";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { InlineNotice } from "../../ui/inline-notice.tsx";
import { useEvent } from "./event-page.ts";
import { moved, movedBeside, withCurrent } from "./order.ts";
import type { Speaker } from "./speaker.ts";
import styles from "./speaker-order.module.css";
import { SpeakerPortrait } from "./speaker-portrait.tsx";

type Move = { id: string; by: -1 | 1 };

/** Moves speakers by drag, by keyboard and by buttons. Nothing is saved before "Save order", which is one change. */
export function SpeakerOrder({ speakers, onClose }: { speakers: Speaker[]; onClose: () => void }) {
  const saved = speakers.map(({ id }) => id);
  const [wanted, setWanted] = useState(saved);
  const [announcement, announce] = useState("");
  const save = useSaveOrder();
  const order = withCurrent(wanted, saved);
  const rows = order.flatMap((id) => speakers.find((speaker) => speaker.id === id) ?? []);
  const isChanged = order.some((id, index) => id !== saved[index]);
  const nameOf = (id: string) => speakers.find((speaker) => speaker.id === id)?.name ?? "";

  const apply = (next: string[], id: string) => {
    setWanted(next);
    announce(`${nameOf(id)} is now ${next.indexOf(id) + 1} of ${next.length}`);
  };
  const list = useRef<HTMLDivElement>(null);
  const keepFocus = useFocusAfterMove(list, order);
  const step = (move: Move) => {
    apply(moved(order, move.id, move.by), move.id);
    keepFocus(move);
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": nameOf(String(key)) })),
    onReorder: ({ keys, target }) => {
      const [id] = [...keys].map(String);
      if (id === undefined || target.dropPosition === "on") return;
      apply(movedBeside(order, id, String(target.key), target.dropPosition), id);
    },
  });
  return (
    <>
      <p id="speaker-order-help" className={styles.help}>
        Drag by the handle, or use the arrows. With the keyboard: press Enter on a handle, choose the place with the
        arrow keys, and press Enter again.
      </p>
      <GridList
        ref={list}
        className={styles.list ?? ""}
        aria-label="Order of speakers"
        aria-describedby="speaker-order-help"
        items={rows}
        dependencies={[order]}
        dragAndDropHooks={dragAndDropHooks}
      >
        {(speaker) => <Row speaker={speaker} place={order.indexOf(speaker.id)} count={order.length} onMove={step} />}
      </GridList>
      <div role="status" className="visually-hidden">
        {announcement}
      </div>
      {wanted.length !== saved.length && (
        <InlineNotice tone="warning" live>
          Somebody added or removed a speaker meanwhile. New speakers are at the end.
        </InlineNotice>
      )}
      <div className={styles.actions}>
        <Button
          kind="primary"
          isDisabled={!isChanged}
          onPress={() => void save(order, saved).then((result) => result !== undefined && onClose())}
        >
          Save order
        </Button>
        <Button onPress={onClose}>Cancel</Button>
      </div>
    </>
  );
}

type RowProps = { speaker: Speaker; place: number; count: number; onMove: (move: Move) => void };

function Row({ speaker: { id, name, title, company, photo_url }, place, count, onMove }: RowProps) {
  return (
    <GridListItem id={id} textValue={name} className={styles.row ?? ""}>
      <AriaButton slot="drag" className={styles.handle ?? ""} aria-label={`Drag ${name}`}>
        <Icon name="drag" />
      </AriaButton>
      <span className={styles.place}>{place + 1}</span>
      <SpeakerPortrait name={name} photo={photo_url} small />
      <span className={styles.texts}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.work} dir="auto">
          {[title, company].filter((part) => part !== null).join(", ")}
        </span>
      </span>
      <span className={styles.arrows}>
        <IconButton
          icon="arrow-up"
          size="small"
          label={`Move ${name} up`}
          isDisabled={place === 0}
          onPress={() => onMove({ id, by: -1 })}
        />
        <IconButton
          icon="arrow-down"
          size="small"
          label={`Move ${name} down`}
          isDisabled={place === count - 1}
          onPress={() => onMove({ id, by: 1 })}
        />
      </span>
    </GridListItem>
  );
}

/** A row that moves in the page loses the focus: puts it back on the arrow, or on the other one at an end of the list. */
function useFocusAfterMove(list: RefObject<HTMLDivElement | null>, order: string[]) {
  const last = useRef<Move>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each new order.
  useEffect(() => {
    if (last.current === undefined) return;
    const { id, by } = last.current;
    last.current = undefined;
    const row = list.current?.querySelector(`[data-key="${id}"]`);
    const [up, down] = [...(row?.querySelectorAll<HTMLButtonElement>(`.${styles.arrows} button`) ?? [])];
    const [first, other] = by === -1 ? [up, down] : [down, up];
    (first?.disabled ? other : first)?.focus();
  }, [order.join()]);
  return (move: Move) => {
    last.current = move;
  };
}

function useSaveOrder() {
  const change = useChange();
  const event = useEvent();
  return (order: string[], before: string[]) =>
    change.open({
      tool: "reorder_event_speakers",
      args: { event_id: event.id, speaker_ids: order },
      title: "Change the order of speakers",
      reason: `New order of speakers at ${event.name}`.slice(0, 500),
      confirmLabel: "Save order",
      done: "Order saved",
      undo: { tool: "reorder_event_speakers", args: { event_id: event.id, speaker_ids: before } },
    });
}
