import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * Takes a file that is dropped on an element, or pasted while the focus is in it or in its dialog. Returns whether one is
 * being dragged over it.
 */
export function useGivenFiles(
  target: RefObject<HTMLElement | null>,
  take: ((file: File) => void) | undefined,
): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(take);
  useEffect(() => {
    latest.current = take;
  });
  useEffect(() => {
    const element = target.current;
    if (element === null) return;
    const give = (file: File | undefined) => file !== undefined && latest.current?.(file);
    const over = (event: DragEvent) => {
      if (!hasFiles(event) || latest.current === undefined) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => !element.contains(relatedTarget as Node | null) && setOver(false);
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event) || latest.current === undefined) return;
      event.preventDefault();
      give(event.dataTransfer?.files[0]);
    };
    const paste = (event: ClipboardEvent) => {
      const file = pastedPicture(event);
      if (file === undefined) return;
      event.preventDefault();
      give(file);
    };
    const stops = [
      listen(element, { dragover: over, dragleave: leave, drop }),
      listen(element.closest<HTMLElement>("[role=dialog]") ?? element, { paste }),
      listen(window, { dragover: refuse, drop: refuse }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [target]);
  return isOver;
}

type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

/** Listens until the returned function is called. */
function listen(target: EventTarget, listeners: Listeners): () => void {
  const entries = Object.entries(listeners) as [string, EventListener][];
  for (const [name, listener] of entries) target.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of entries) target.removeEventListener(name, listener);
  };
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;

/** A file that is dropped beside the element would otherwise be opened in place of the page. */
function refuse(event: DragEvent): void {
  if (event.defaultPrevented || !hasFiles(event)) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = "none";
}

/** Text that is copied from a document often comes with a picture of it: in a field, the text is meant. */
function pastedPicture({ clipboardData, target }: ClipboardEvent): File | undefined {
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  if (isText && clipboardData?.types.includes("text/plain")) return undefined;
  return [...(clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/"));
}
