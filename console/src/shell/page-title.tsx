import { useEffect } from "react";

const product = "Event platform";

/** The title of the window, and what screen readers say after navigation. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? product : `${title} · ${product}`;
  }, [title]);
}
