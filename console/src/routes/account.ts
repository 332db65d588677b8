import { createRoute } from "@tanstack/react-router";
import { page } from "./page.ts";
import { frame, signedIn } from "./root.ts";

const accountFrame = createRoute({
  getParentRoute: () => signedIn,
  id: "account-frame",
  component: frame(),
});
const account = createRoute({
  getParentRoute: () => accountFrame,
  path: "/account",
  component: page(() => import("../pages/account/account.tsx"), "AccountPage"),
});

/** As on the pages before sign-in, nothing is around what the person decides about. */
const connect = createRoute({
  getParentRoute: () => signedIn,
  path: "/connect/$uid",
  component: page(() => import("../pages/connect/connect.tsx"), "ConnectPage"),
});

export const accountRoutes = [connect, accountFrame.addChildren([account])] as const;
