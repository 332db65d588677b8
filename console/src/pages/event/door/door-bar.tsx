import { useId } from "react";
import { Button as PlainButton } from "react-aria-components";
import { Icon } from "../../../ui/icon.tsx";
import styles from "./door-bar.module.css";

type Props = {
  /** "Name or e-mail". */
  searched: string;
  query: string;
  onQuery: (query: string) => void;
  isScanning: boolean;
  onScan: () => void;
  /** Enter, as hardware scanners and keyboards send it. */
  onEnter: () => void;
};

/** At the lower edge, in reach of the thumb. */
export function DoorBar({ searched, query, onQuery, isScanning, onScan, onEnter }: Props) {
  const id = useId();
  return (
    <search>
      <form
        className={styles.bar}
        onSubmit={(event) => {
          event.preventDefault();
          onEnter();
        }}
      >
        <label htmlFor={id} className="visually-hidden">
          Search {searched.toLowerCase()}
        </label>
        <div className={styles.field}>
          <Icon name="search" size={20} className={styles.glass ?? ""} />
          <input
            id={id}
            className={styles.input}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            autoCorrect="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={searched}
            value={query}
            onChange={(event) => onQuery(event.target.value)}
          />
          {query !== "" && (
            <PlainButton className={styles.clear ?? ""} aria-label="Clear the search" onPress={() => onQuery("")}>
              <Icon name="close" size={20} />
            </PlainButton>
          )}
        </div>
        <PlainButton className={styles.scan ?? ""} aria-pressed={isScanning} onPress={onScan}>
          <Icon name="qr" size={24} />
          Scan
        </PlainButton>
      </form>
    </search>
  );
}
