import { useEffect, useRef, useSyncExternalStore } from "react";
import { Button, Spinner } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import styles from "./toast.module.css";
import { dismissToast, subscribeToToasts, type Toast, toastsNow } from "./toast-queue.ts";

/** The place of toasts, once in the frame. F6 moves focus into it, as in other applications. */
export function ToastRegion() {
  const toasts = useSyncExternalStore(subscribeToToasts, toastsNow);
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "F6") region.current?.querySelector<HTMLElement>("button")?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return (
    <section ref={region} aria-label="Notifications" className={styles.region} data-react-aria-top-layer="true">
      <ol aria-live="polite" aria-relevant="additions" className="column gap-2">
        {toasts.map((toast) => (
          <ToastItem key={toast.id} toast={toast} />
        ))}
      </ol>
    </section>
  );
}

function ToastItem({ toast: { id, text, tone, action, durationMs } }: { toast: Toast }) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (durationMs === Number.POSITIVE_INFINITY) return;
    const close = () => {
      // Somebody who is about to use it gets the time to do so.
      if (item.current?.matches(":hover, :focus-within")) timer = setTimeout(close, 2000);
      else dismissToast(id);
    };
    let timer = setTimeout(close, durationMs);
    return () => clearTimeout(timer);
  }, [id, durationMs]);
  return (
    <li ref={item} className={styles.toast}>
      {tone === "busy" ? (
        <span className={styles.busy}>
          <Spinner />
        </span>
      ) : (
        <Icon
          name={tone === "danger" ? "alert" : "check-circle"}
          className={tone === "danger" ? "danger" : "success"}
        />
      )}
      <span className={styles.text}>{text}</span>
      {action !== undefined && (
        <Button
          kind="quiet"
          size="small"
          onPress={() => {
            dismissToast(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      {tone !== "busy" && <IconButton icon="close" label="Dismiss" size="small" onPress={() => dismissToast(id)} />}
    </li>
  );
}
