import { createRouter } from "@tanstack/react-router";
import { accountRoutes } from "./routes/account.ts";
import { adminRoutes } from "./routes/admin.ts";
import { organizationRoutes } from "./routes/organization.ts";
import { publicRoutes } from "./routes/public.ts";
import { root, signedIn } from "./routes/root.ts";
import { ErrorPage, NotFoundPage } from "./shell/problem-pages.tsx";
import { PageSkeleton } from "./ui/skeleton.tsx";

const routeTree = root.addChildren([
  ...publicRoutes,
  signedIn.addChildren([...accountRoutes, organizationRoutes, adminRoutes]),
]);

export const createAppRouter = () =>
  createRouter({
    routeTree,
    defaultPreload: "intent",
    defaultPendingMs: 300,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // A page about another event or organization begins anew: nothing that was entered or chosen passes from one to the other.
    defaultRemountDeps: ({ params }) => params,
  });

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}
