import { createRoute } from "@tanstack/react-router";
import { frame, page, signedIn } from "./root.ts";

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

export const accountRoutes = accountFrame.addChildren([account]);
