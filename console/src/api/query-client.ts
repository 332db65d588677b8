import { QueryClient } from "@tanstack/react-query";
import { isTemporary } from "./api-error.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Live updates say what changed, and coming back to the window reads it again.
      staleTime: 15_000,
      retry: (failures, error) => failures < 2 && isTemporary(error),
      retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 5000),
      // The connection state is our own: a captive network makes navigator.onLine wrong in both directions.
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});
