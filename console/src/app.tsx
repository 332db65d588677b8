import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Fragment, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onSessionEnded } from "./api/client.ts";
import { queryClient } from "./api/query-client.ts";
import { renewSession, settleRenewal } from "./api/renewal.ts";
import { sessionQuery } from "./api/session.ts";
import { letGo, setQuestion, unsavedNow } from "./drafts/unsaved.ts";
import { createAppRouter } from "./router.ts";
import { leaveToSignIn } from "./shell/leave-to-sign-in.ts";
import { rememberFocus } from "./ui/return-focus.ts";

/** Shows the application in an element, and returns how to remove it. In development, `strict` renders everything twice. */
export function showApp(element: HTMLElement, { strict = true } = {}): () => void {
  const Mode = strict ? StrictMode : Fragment;
  const router = createAppRouter();
  onSessionEnded((since) => {
    const person = queryClient.getQueryData(sessionQuery.queryKey)?.person;
    if (person != null) return renewSession(person, since);
    leaveToSignIn(router);
    return Promise.resolve(false);
  });
  rememberFocus(element);
  const root = createRoot(element);
  root.render(
    <Mode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Mode>,
  );
  return () => {
    root.unmount();
    settleRenewal(false);
    setQuestion(undefined);
    letGo(unsavedNow());
  };
}
