import { keptDraftDays } from "../../../contract/pictures.ts";

/** What somebody has entered and not saved: the fields that were touched, with what was stored when they were. */
export type Entered = Record<string, { was: unknown; is: unknown }>;

export type KeptDraft = { at: number; fields: Entered };

/** Of all people of a browser: the oldest go first. */
export const maximumDrafts = 30;
export const longestDraft = 100_000;

const prefix = "draft ";
const nameOf = (person: string, form: string) => `${prefix}${person} ${form}`;

/** Keeps what was entered in a form in this browser. False if it cannot: it is too long, or the browser stores nothing more. */
export function keepDraft(person: string, form: string, fields: Entered): boolean {
  const name = nameOf(person, form);
  const text = JSON.stringify({ at: Date.now(), fields } satisfies KeptDraft);
  try {
    localStorage.removeItem(name);
    if (text.length > longestDraft) return false;
    if (storedNames().length >= maximumDrafts) dropOldest();
    localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

function dropOldest(): void {
  const drafts = storedDrafts().toSorted((a, b) => b.at - a.at);
  for (const { name } of drafts.slice(maximumDrafts - 1)) localStorage.removeItem(name);
}

export const findDraft = (person: string, form: string): KeptDraft | undefined => readDraft(nameOf(person, form));

export const dropDraft = (person: string, form: string): void => localStorage.removeItem(nameOf(person, form));

export function dropDraftsOf(person: string): void {
  for (const name of storedNames()) if (name.startsWith(nameOf(person, ""))) localStorage.removeItem(name);
}

const storedNames = (): string[] => Object.keys(localStorage).filter((name) => name.startsWith(prefix));

function storedDrafts(): (KeptDraft & { name: string })[] {
  return storedNames().flatMap((name) => {
    const draft = readDraft(name);
    return draft === undefined ? [] : [{ ...draft, name }];
  });
}

/** What is too old, or cannot be read, goes. */
function readDraft(name: string): KeptDraft | undefined {
  const text = localStorage.getItem(name);
  if (text === null) return undefined;
  const draft = parsed(text);
  if (draft !== undefined && draft.at > Date.now() - keptDraftDays * 86_400_000) return draft;
  localStorage.removeItem(name);
  return undefined;
}

function parsed(text: string): KeptDraft | undefined {
  try {
    const { at, fields } = JSON.parse(text) as KeptDraft;
    const isRead = typeof at === "number" && Object.values(fields).every((field) => "was" in field && "is" in field);
    return isRead ? { at, fields } : undefined;
  } catch {
    return undefined;
  }
}
