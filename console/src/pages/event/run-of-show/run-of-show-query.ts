import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/client.ts";
import { eventKey } from "../../../api/query-keys.ts";

export const runOfShowQuery = (organization: string, event: string) =>
  queryOptions({
    queryKey: eventKey(organization, event, "run-of-show"),
    queryFn: ({ signal }) => call("runOfShow", { organization, event }, { signal }),
  });
