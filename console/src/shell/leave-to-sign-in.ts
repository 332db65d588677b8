import { queryClient } from "../api/query-client.ts";
import type { AppRouter } from "../router.ts";

/** Forgets what was shown to the person who was signed in, and asks who is there. */
export function leaveToSignIn(router: AppRouter): void {
  const { pathname, href } = router.state.location;
  if (pathname === "/sign-in") return;
  queryClient.clear();
  void router.navigate({ to: "/sign-in", search: { return_to: href } });
}
