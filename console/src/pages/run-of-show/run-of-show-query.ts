import { queryOptions } from "@tanstack/react-query";
import { get, path } from "../../api/client.ts";
import { eventKey } from "../../api/query-keys.ts";
import type { Segment } from "./layout.ts";

export type SpeakerName = { id: string; name: string; photo_url: string | null };
export type RunOfShow = { published: boolean; segments: Segment[]; speakers: SpeakerName[] };

export const runOfShowQuery = (organizationId: string, eventId: string) =>
  queryOptions({
    queryKey: eventKey(organizationId, eventId, "run-of-show"),
    queryFn: ({ signal }) =>
      get<RunOfShow>(path`/api/console/organizations/${organizationId}/events/${eventId}/run-of-show`, signal),
  });
