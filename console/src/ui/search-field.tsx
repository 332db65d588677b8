import { SearchField as AriaSearchField, Button, Group, Input, type SearchFieldProps } from "react-aria-components";
import styles from "./field.module.css";
import { Icon } from "./icon.tsx";
import search from "./search-field.module.css";

type Props = Omit<SearchFieldProps, "className" | "style" | "children"> & {
  /** The accessible name; shown as the placeholder. */
  label: string;
};

export function SearchField({ label, ...rest }: Props) {
  return (
    <AriaSearchField {...rest} aria-label={label} className={search.search ?? ""}>
      <Group className={styles.group ?? ""}>
        <Icon name="search" className={styles.affix ?? ""} />
        <Input className={styles.input ?? ""} placeholder={label} />
        <Button className={styles.inside ?? ""}>
          <Icon name="close" size={14} />
        </Button>
      </Group>
    </AriaSearchField>
  );
}
