import { SearchField as AriaSearchField, Button, Group, Input, type SearchFieldProps } from "react-aria-components";
import { maximumWords } from "../../../contract/nouns.ts";
import styles from "./field.module.css";
import { FieldHelp } from "./field.tsx";
import { Icon } from "./icon.tsx";
import search from "./search-field.module.css";

type Props = Omit<SearchFieldProps, "className" | "style" | "children"> & {
  /** The accessible name; shown as the placeholder. */
  label: string;
};

/** What is longer than the service searches for stays, and the field says so: see `useTypedFilter`. */
export function SearchField({ label, ...rest }: Props) {
  const isLong = (rest.value ?? "").length > maximumWords;
  return (
    <AriaSearchField {...rest} isInvalid={isLong} aria-label={label} className={search.search ?? ""}>
      <Group className={styles.group ?? ""}>
        <Icon name="search" className={styles.affix ?? ""} />
        <Input className={styles.input ?? ""} placeholder={label} />
        <Button className={styles.inside ?? ""}>
          <Icon name="close" size={14} />
        </Button>
      </Group>
      {isLong && <FieldHelp error={`At most ${maximumWords} characters.`} />}
    </AriaSearchField>
  );
}
