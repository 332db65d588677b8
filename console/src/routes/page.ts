import { lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { loadPart } from "../ui/load-part.ts";

/** Every page is loaded when it is first visited, or when a link to it is about to be used. */
export function page<Name extends string>(load: () => Promise<Record<Name, RouteComponent>>, name: Name) {
  const component = lazyRouteComponent(() => loadPart(load), name);
  const { preload } = component;
  // What is tried again, said and reloaded when a page is missing waits until somebody goes there.
  return Object.assign(component, {
    preload: () =>
      load().then(
        () => preload?.(),
        () => undefined,
      ),
  });
}
