import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

/** Pages change without a load: says the new title, and moves focus to the content, as a load would. */
export function RouteAnnouncer() {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const previous = useRef(pathname);
  const [title, setTitle] = useState("");
  useEffect(() => {
    if (previous.current === undefined || previous.current === pathname) {
      previous.current = pathname;
      return;
    }
    previous.current = pathname;
    // The page sets its title in an effect of its own.
    const timer = setTimeout(() => {
      setTitle(document.title);
      const active = document.activeElement;
      if (active === null || active === document.body) document.getElementById("main")?.focus({ preventScroll: true });
    }, 100);
    return () => clearTimeout(timer);
  }, [pathname]);
  return (
    <div role="status" className="visually-hidden">
      {title}
    </div>
  );
}
