import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";

/** What the organization has proposed, and where it may propose more. */
export const proposalsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: organizationKey(organizationId, "proposals"),
    queryFn: ({ signal }) => call("proposals", { organization: organizationId }, { signal }),
  });
