import { useEffect, useRef, useState } from "react";
import { useOptionalOrganization, useSession } from "../api/session.ts";
import { dropDraft, type Entered, findDraft, keepDraft } from "./kept-drafts.ts";
import { askBefore, guard, letGo, type Unsaved } from "./unsaved.ts";

export type Problems<Values> = Partial<Record<keyof Values, string | undefined>>;

type Options<Source, Values> = {
  /** Names the form with what it is about: "event-details 7f…". Kept drafts are found by it. */
  form: string;
  /** What is stored. It may change while the form is open. */
  source: Source;
  read: (source: Source) => Values;
  /**
   * What the form calls its fields, where it edits something stored: others may change that meanwhile. Nobody changes what a
   * form of something new suggests.
   */
  labels?: Record<keyof Values, string> | undefined;
  /** What is wrong with the values; shown once the person has tried to submit. */
  check?: (values: Values, source: Source) => Problems<Values>;
};

type State<Source> = {
  entered: Entered;
  /** The source as it was when the first field was touched: what others change later was not edited here. */
  base: Source | undefined;
  cameBackFrom: number | undefined;
  /** What was entered is stored, and shown until the source has it. */
  isSaved: boolean;
};

/**
 * The values of a form. What was entered is kept in this browser until it is saved or discarded, so it must not contain
 * secrets. A form about something else needs another React key.
 */
export function useDraft<Source, Values extends object>(options: Options<Source, Values>) {
  const { source, read, labels, check = () => ({}) } = options;
  const storage = useStorage(options.form);
  const nothing: State<Source> = { entered: {}, base: undefined, cameBackFrom: undefined, isSaved: false };
  const [state, setState] = useState<State<Source>>(() => {
    const kept = storage.find();
    const entered = fitting(kept?.fields ?? {}, read(source));
    return isEmpty(entered) ? nothing : { ...nothing, entered, base: source, cameBackFrom: kept?.at };
  });
  const [{ entered: restored }] = useState(state);
  const [isTried, setTried] = useState(false);
  const { entered, cameBackFrom } = state;
  const base = state.base ?? source;
  const values = valuesOf(read(base), entered);
  const problems = check(values, base);
  const isDirty = !isEmpty(entered) && !state.isSaved;
  if (state.isSaved && !same(read(source), read(base))) setState(nothing);

  /** Sets some of the values, at most those of one change of a field. */
  const set = (part: Partial<Values> | ((values: Values) => Partial<Values>)) =>
    setState((before) => {
      const stored = read(before.base ?? source);
      const given = typeof part === "function" ? part(valuesOf(stored, before.entered)) : part;
      const next = withEntered(before.entered, given, stored);
      return isEmpty(next) ? nothing : { ...before, entered: next, base: before.base ?? source, isSaved: false };
    });
  const forget = () => {
    setTried(false);
    storage.drop();
    letGo([unsaved]);
  };
  const discard = () => {
    setState(nothing);
    forget();
  };
  const [unsaved] = useState<Unsaved>(() => ({ isKept: () => false, loss: cannotKeep }));
  const latest = useRef({ discard });
  useEffect(() => {
    latest.current = { discard };
  });
  useEffect(() => {
    if (!isDirty) return storage.drop();
    const isKept = entered === restored || storage.keep(entered);
    Object.assign(unsaved, { isKept: () => isKept, discard: () => latest.current.discard() });
  }, [isDirty, entered, restored, storage, unsaved]);
  useEffect(() => (isDirty ? guard(unsaved) : undefined), [isDirty, unsaved]);

  return {
    values,
    /** What the values are compared with when they are sent. */
    base,
    set,
    bind: <Name extends keyof Values>(name: Name) => ({
      value: values[name],
      onChange: (value: Values[Name]) => set({ [name]: value } as unknown as Partial<Values>),
      error: isTried ? (problems as Problems<Values>)[name] : undefined,
    }),
    isDirty,
    cameBackFrom,
    /** The labels of fields that are stored with another value than when they were shown here. */
    changedByOthers:
      isDirty && labels !== undefined
        ? changedSince(read(source), read(base), entered).map((name) => labels[name])
        : [],
    /** The values, or undefined if something is wrong with them, which is then shown. */
    submitted: (): Values | undefined => {
      setTried(true);
      return Object.values(problems).every((problem) => problem === undefined) ? values : undefined;
    },
    /** Forgets what was entered: the person does not want it. */
    discard,
    /** Keeps what was entered no longer: it is stored. */
    saved: () => {
      setState((before) => ({ ...before, isSaved: true, cameBackFrom: undefined }));
      forget();
    },
    /** For what closes the form: asks first if something would have to be entered again. */
    closing: (close: () => void) => () => askBefore(unsaved, close),
  };
}

/** What is the same for every form. */
export type Draft = {
  cameBackFrom: number | undefined;
  changedByOthers: string[];
  discard: () => void;
  saved: () => void;
  closing: (close: () => void) => () => void;
};

export const required = (text: string | null, what: string): string | undefined =>
  (text ?? "").trim() === "" ? `Enter ${what}` : undefined;

const cannotKeep = {
  title: "Leave without saving?",
  text: "What you entered is lost when you leave: it is more than this browser can keep.",
};

/** Where the draft of a form is, for the signed-in person and the organization of the page. */
function useStorage(form: string) {
  const person = useSession().person?.id ?? "nobody";
  const name = `${useOptionalOrganization()?.id ?? "platform"} ${form}`;
  const create = () => ({
    key: `${person} ${name}`,
    find: () => findDraft(person, name),
    keep: (entered: Entered) => keepDraft(person, name, entered),
    drop: () => dropDraft(person, name),
  });
  const [storage, setStorage] = useState(create);
  if (storage.key === `${person} ${name}`) return storage;
  const next = create();
  setStorage(next);
  return next;
}

/** Whether the form would begin with something that was entered before. */
export function useHasDraft(form: string): boolean {
  const storage = useStorage(form);
  return storage.find() !== undefined;
}

const isEmpty = (entered: Entered): boolean => Object.keys(entered).length === 0;

const same = (one: unknown, other: unknown): boolean =>
  Object.is(one, other) || JSON.stringify(one) === JSON.stringify(other);

function valuesOf<Values extends object>(stored: Values, entered: Entered): Values {
  return { ...stored, ...Object.fromEntries(Object.entries(entered).map(([name, { is }]) => [name, is])) };
}

function withEntered<Values extends object>(entered: Entered, part: Partial<Values>, stored: Values): Entered {
  const next = { ...entered };
  for (const [name, is] of Object.entries(part)) {
    const earlier = next[name];
    const was = earlier === undefined ? stored[name as keyof Values] : earlier.was;
    if (same(was, is)) delete next[name];
    else next[name] = { was, is };
  }
  return next;
}

function changedSince<Values extends object>(now: Values, base: Values, entered: Entered): (keyof Values)[] {
  const seen = { ...base, ...Object.fromEntries(Object.entries(entered).map(([name, { was }]) => [name, was])) };
  return (Object.keys(now) as (keyof Values)[]).filter((name) => !same(now[name], seen[name]));
}

/** What a draft has for the fields that the form has now. Another version may have kept something else under their names. */
function fitting<Values extends object>(entered: Entered, stored: Values): Entered {
  const kindOf = (value: unknown) => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);
  const fits = ([name, { is }]: [string, Entered[string]]) => {
    if (!Object.hasOwn(stored, name)) return false;
    const kinds = [kindOf(is), kindOf(stored[name as keyof Values])];
    return kinds[0] === kinds[1] || kinds.includes("null");
  };
  return Object.fromEntries(Object.entries(entered).filter(fits));
}
