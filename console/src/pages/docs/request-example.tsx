import { useSyncExternalStore } from "react";
import { ChoiceButtons } from "../../ui/choice-buttons.tsx";
import { Code } from "./code.tsx";
import styles from "./reference.module.css";
import { type ExampleLanguage, type ExampleRequest, exampleLanguages } from "./request-examples.ts";

const storageName = "docs-language";
const listeners = new Set<() => void>();

const isLanguage = (text: string | null): text is ExampleLanguage =>
  text !== null && Object.hasOwn(exampleLanguages, text);

function readLanguage(): ExampleLanguage {
  const stored = localStorage.getItem(storageName);
  return isLanguage(stored) ? stored : "curl";
}

function chooseLanguage(language: ExampleLanguage): void {
  localStorage.setItem(storageName, language);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const options = Object.entries(exampleLanguages).map(([value, { label }]) => ({
  value: value as ExampleLanguage,
  label,
}));

/** A request in the language of the reader, which is the same for all examples, and the next time. */
export function RequestExample({ request, name, label }: { request: ExampleRequest; name: string; label: string }) {
  const language = useSyncExternalStore(subscribe, readLanguage);
  const { language: colours, write } = exampleLanguages[language];
  return (
    <div className={styles.request}>
      <ChoiceButtons
        label={`Language of the example of ${name}`}
        look="segments"
        options={options}
        value={language}
        onChange={chooseLanguage}
      />
      <Code code={write(request)} language={colours} label={label} />
    </div>
  );
}
