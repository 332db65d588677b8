import { Button } from "../../ui/button.tsx";
import styles from "./show-more.module.css";

/** Below a list that goes on; its words stand under the words of the list. */
export function ShowMore({
  isPending = false,
  onPress,
  children,
}: {
  isPending?: boolean;
  onPress: () => void;
  children: React.ReactNode;
}) {
  return (
    <div className={styles.more}>
      <Button kind="quiet" size="small" isPending={isPending} onPress={onPress}>
        {children}
      </Button>
    </div>
  );
}
