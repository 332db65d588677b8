import "./styles/fonts.css";
import "./styles/tokens.css";
import "./styles/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onSessionEnded } from "./api/client.ts";
import { queryClient } from "./api/query-client.ts";
import { sessionQuery } from "./api/session.ts";
import { router } from "./router.ts";
import { rememberFocus } from "./ui/return-focus.ts";

onSessionEnded(() => {
  const { pathname, href } = router.state.location;
  if (pathname === "/sign-in") return;
  // What was shown to the person who was signed in must not stay in memory.
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey !== sessionQuery.queryKey });
  void queryClient
    .fetchQuery({ ...sessionQuery, staleTime: 0 })
    .then(() => router.navigate({ to: "/sign-in", search: { return_to: href } }));
});

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
rememberFocus(root);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
