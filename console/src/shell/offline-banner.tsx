import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { call } from "../api/client.ts";
import { useOnline } from "../api/connection.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./offline-banner.module.css";

const retryMs = 5000;

/** Says that nothing is up to date, and asks now and then whether the service is back. */
export function OfflineBanner() {
  const online = useOnline();
  // The door works without a connection and says so itself.
  const isDoor = useLocation({ select: ({ pathname }) => pathname.endsWith("/door") });
  useEffect(() => {
    if (online) return;
    const timer = setInterval(() => void call("session", {}).catch(() => {}), retryMs);
    return () => clearInterval(timer);
  }, [online]);
  return (
    <div role="status" className={styles.place}>
      {!online && !isDoor && (
        <p className={styles.banner}>
          <Icon name="offline" />
          No connection. What you see may be out of date; changes are not possible until it is back.
        </p>
      )}
    </div>
  );
}
