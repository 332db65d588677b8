import { type ComponentType, lazy, Suspense } from "react";
import { loadPart } from "../../ui/load-part.ts";

const soonMs = 1500;

/** A form that reading pages do not wait for: it is loaded soon after them, or when it is opened before that. */
export function lazyForm<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  // A failure shows when the form is opened, which loads it again.
  setTimeout(() => void load().catch(() => undefined), soonMs);
  const Form = lazy(async () => ({ default: await loadPart(load) }));
  return (props) => (
    <Suspense>
      <Form {...props} />
    </Suspense>
  );
}
