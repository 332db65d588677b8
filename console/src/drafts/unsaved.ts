/** Something on the page that would be gone when the person leaves it. */
export type Unsaved = {
  /** Whether it comes back by itself; if not, `loss` says what is lost. */
  isKept: () => boolean;
  loss: { title: string; text: string };
  /** Forgets it for good. */
  discard?: () => void;
};

/** What a person is asked before something unsaved goes; `go` carries on. */
export type Question = { about: Unsaved[]; go: () => void };

const unsaved = new Set<Unsaved>();
const listeners = new Set<() => void>();
let question: Question | undefined;

export const unsavedNow = (): Unsaved[] => [...unsaved];

/** Leaving the page asks from now on, until the returned function is called. */
export function guard(item: Unsaved): () => void {
  unsaved.add(item);
  publish();
  return () => unsaved.delete(item);
}

/** Leaving asks for none of these any more: they are saved, or the person has decided. */
export function letGo(items: readonly Unsaved[]): void {
  for (const item of items) unsaved.delete(item);
}

/** Carries on at once if nothing is unsaved, and else if the person wants to. */
export function askBefore(item: Unsaved, go: () => void): void {
  if (unsaved.has(item)) setQuestion({ about: [item], go });
  else go();
}

/** The same about everything on the page, for what has several forms in it. */
export function askBeforeAll(go: () => void): void {
  if (unsaved.size > 0) setQuestion({ about: unsavedNow(), go });
  else go();
}

export const questionNow = (): Question | undefined => question;

export function setQuestion(next: Question | undefined): void {
  question = next;
  publish();
}

/** Called when something becomes unsaved, and when a question is asked or answered. */
export function subscribeToUnsaved(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(): void {
  for (const listener of listeners) listener();
}
