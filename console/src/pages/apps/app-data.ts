import { queryOptions } from "@tanstack/react-query";
import type { ConnectedAppList } from "../../../../contract/console/organization.ts";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";

export type ConnectedApp = ConnectedAppList["apps"][number];

export const appsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: organizationKey(organizationId, "apps"),
    queryFn: ({ signal }) => call("connectedApps", { organization: organizationId }, { signal }),
  });
