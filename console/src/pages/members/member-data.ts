import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";

export const membersQuery = (organization: string) =>
  queryOptions({
    queryKey: organizationKey(organization, "members"),
    queryFn: ({ signal }) => call("members", { organization }, { signal }),
  });
