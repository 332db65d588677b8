import { useEffect, useState } from "react";

const tickMs = 30_000;

/** The time, at most half a minute old. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return Math.max(now, Date.now() - tickMs);
}
