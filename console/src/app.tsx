import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Fragment, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onSessionEnded } from "./api/client.ts";
import { queryClient } from "./api/query-client.ts";
import { sessionQuery } from "./api/session.ts";
import { type AppRouter, createAppRouter } from "./router.ts";
import { rememberFocus } from "./ui/return-focus.ts";

/** Shows the application in an element, and returns how to remove it. In development, `strict` renders everything twice. */
export function showApp(element: HTMLElement, { strict = true } = {}): () => void {
  const Mode = strict ? StrictMode : Fragment;
  const router = createAppRouter();
  onSessionEnded(() => askToSignIn(router));
  rememberFocus(element);
  const root = createRoot(element);
  root.render(
    <Mode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Mode>,
  );
  return () => root.unmount();
}

function askToSignIn(router: AppRouter): void {
  const { pathname, href } = router.state.location;
  if (pathname === "/sign-in") return;
  // What was shown to the person who was signed in must not stay in memory.
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey !== sessionQuery.queryKey });
  void queryClient
    .fetchQuery({ ...sessionQuery, staleTime: 0 })
    .then(() => router.navigate({ to: "/sign-in", search: { return_to: href } }));
}
