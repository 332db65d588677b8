import { type ComponentType, lazy, Suspense } from "react";

/** A form that is loaded when it is first opened: reading pages do not need it. */
export function lazyForm<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Form = lazy(async () => ({ default: await load() }));
  return (props) => (
    <Suspense>
      <Form {...props} />
    </Suspense>
  );
}
