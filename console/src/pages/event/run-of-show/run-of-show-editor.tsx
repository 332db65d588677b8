import { Suspense, useState } from "react";
import type { RunOfShow } from "../../../../../contract/console/event.ts";
import { useChange } from "../../../change/use-change.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { lazyPart } from "../../../ui/lazy-part.ts";
import { loadPart } from "../../../ui/load-part.ts";
import { minuteMs, type Plan, type Range } from "./layout.ts";
import { MovesBar } from "./moves-bar.tsx";
import { PrintSheet } from "./print-sheet.tsx";
import type { Opened } from "./run-of-show-dialogs.tsx";
import { RunOfShowView } from "./run-of-show-view.tsx";
import type { NewSegment } from "./segment-form.ts";
import { Toolbar } from "./toolbar.tsx";
import { usePrint } from "./use-print.ts";
import { useRunOfShow } from "./use-run-of-show.ts";
import { useView } from "./use-view.ts";

/** Loaded when a form is opened. */
const RunOfShowDialogs = lazyPart(() => import("./run-of-show-dialogs.tsx"), "default");

export function RunOfShowEditor({ runOfShow }: { runOfShow: RunOfShow }) {
  const state = useRunOfShow(runOfShow);
  const { plan, unsaved, dispatch, event, names } = state;
  const [opened, setOpened] = useState<Opened>();
  const [activeId, setActiveId] = useState<string>();
  const [following, setFollowing] = useState(false);
  const { view, setView, zoom, setZoom } = useView(plan);
  const { printing, print } = usePrint();
  const change = useChange();
  const remove = async (id: string) => {
    const segment = state.segments.find((each) => each.id === id);
    if (segment === undefined) return;
    const { removeSegment } = await loadPart(() => import("./remove-segment.tsx"));
    if (await removeSegment({ change, state, segment, following })) setOpened(undefined);
  };
  const add = (at: NewSegment) => setOpened({ kind: "new", at });
  return (
    <>
      {plan.placed.length === 0 ? (
        <Empty canEdit={state.canEdit} onAdd={() => add(afterLast(plan))} />
      ) : (
        <>
          <Toolbar
            state={state}
            view={view}
            zoom={zoom}
            following={following}
            onView={setView}
            onZoom={setZoom}
            onFollowing={setFollowing}
            onGo={(id) => {
              setActiveId(id);
              goTo(id);
            }}
            onAdd={() => add(afterLast(plan))}
            onReorder={() => setOpened({ kind: "reorder" })}
            onPrint={print}
          />
          <RunOfShowView
            state={state}
            view={view}
            zoom={zoom}
            following={following}
            activeId={activeId}
            onActive={setActiveId}
            onOpen={(id) => setOpened({ kind: "segment", id })}
            onAdd={(gap) => add(newIn(gap))}
            onRemove={(id) => void remove(id)}
          />
        </>
      )}
      {unsaved.length > 0 && (
        <MovesBar
          count={unsaved.length}
          canUndo={state.canUndo}
          onUndo={() => dispatch({ type: "undo" })}
          onDiscard={() => dispatch({ type: "discard" })}
          onSave={() =>
            void loadPart(() => import("./save-moves.tsx")).then(({ saveMoves }) => saveMoves({ change, state }))
          }
        />
      )}
      {opened !== undefined && (
        <Suspense>
          <RunOfShowDialogs
            opened={opened}
            state={state}
            onRemove={(id) => void remove(id)}
            close={() => setOpened(undefined)}
          />
        </Suspense>
      )}
      {printing !== undefined && <PrintSheet event={event} plan={plan} names={names} withNotes={printing.withNotes} />}
    </>
  );
}

function Empty({ canEdit, onAdd }: { canEdit: boolean; onAdd: () => void }) {
  const action = (
    <Button kind="primary" icon="plus" onPress={onAdd}>
      Add segment
    </Button>
  );
  return (
    <EmptyState icon="clock" title="Nothing is planned yet" {...(canEdit ? { action } : {})}>
      The run of show says what happens when: talks, breaks, sound checks. Agents can fill it too, with the tool
      create_event_segment.
    </EmptyState>
  );
}

const usualMinutes = 30;

/** Where a new segment goes if nothing else is said. */
const afterLast = ({ placed, window }: Plan): NewSegment => ({
  start: placed.length === 0 ? window.from : Math.max(...placed.map(({ end }) => end)),
  minutes: usualMinutes,
});

const newIn = ({ from, to }: Range): NewSegment => ({
  start: from,
  minutes: Math.min(usualMinutes, Math.max(1, Math.floor((to - from) / minuteMs))),
});

/** Shows a segment in the timeline or in the list. */
function goTo(id: string): void {
  const element = document.querySelector<HTMLElement>(`[data-segment="${CSS.escape(id)}"]`);
  element?.scrollIntoView({ block: "center" });
  element?.focus({ preventScroll: true });
}
