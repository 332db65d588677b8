import { type ComponentType, lazy } from "react";
import { loadPart } from "./load-part.ts";

/** A component that is loaded when it is first shown, within a Suspense. */
export const lazyPart = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) => lazy(async () => ({ default: (await loadPart(load))[name] }));
