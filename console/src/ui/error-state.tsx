import { isApiError, isServiceFailure, messageOf, networkErrorCode, titleOf } from "../api/api-error.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import styles from "./state.module.css";

type Props = { error: unknown; onRetry?: (() => void) | undefined; title?: string };

/** What failed, what to do, and what to quote when the service has failed. */
export function ErrorState({ error, onRetry, title }: Props) {
  const offline = isApiError(error, networkErrorCode);
  const forbidden = isApiError(error, "forbidden");
  const heading = titleOf(error) ?? title ?? "This could not be loaded";
  return (
    <div className={styles.state} role="alert">
      <span className={styles.picture}>
        <Icon name={offline ? "offline" : forbidden ? "lock" : "alert"} size={20} />
      </span>
      <h2 className="large">{heading}</h2>
      <div className={styles.text}>{messageOf(error)}</div>
      {isApiError(error) && isServiceFailure(error) && error.requestId !== undefined && (
        <div className="faint tiny">
          Request <code>{error.requestId}</code>
        </div>
      )}
      {onRetry !== undefined && !forbidden && (
        <div className={styles.action}>
          <Button icon="refresh" onPress={onRetry}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}
