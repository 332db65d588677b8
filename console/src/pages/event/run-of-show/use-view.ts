import { useState } from "react";
import { type Zoom, zoomFor, zooms } from "./axis.ts";
import type { Plan } from "./layout.ts";

export type View = "timeline" | "list";

const storedName = "run-of-show-view";
/** A timeline needs width for what runs at the same time. */
const narrow = "(max-width: 699px)";

/** How a person looks at runs of show, kept in this browser. */
export function useView(plan: Plan) {
  const [view, setView] = useState<View>(() => {
    const stored = localStorage.getItem(storedName);
    if (stored === "timeline" || stored === "list") return stored;
    return matchMedia(narrow).matches ? "list" : "timeline";
  });
  const [chosenZoom, setZoom] = useState<Zoom>();
  // Decided once: the scale must not change while segments are moved.
  const [fittingZoom] = useState(() => zoomFor(plan));
  return {
    view,
    zoom: chosenZoom ?? fittingZoom,
    setZoom,
    setView: (next: View) => {
      localStorage.setItem(storedName, next);
      setView(next);
    },
  };
}

export const zoomOptions = zooms.map((value, index) => ({ value, label: ["Small", "Medium", "Large"][index] ?? "" }));
