import { queryOptions, useQuery } from "@tanstack/react-query";
import { type AddressInput, addressOf, call, type ResponseOf } from "../../api/client.ts";
import { type Pages, usePages } from "../../api/paging.ts";
import { platformKey } from "../../api/query-keys.ts";

const lists = {
  conferences: "adminConferences",
  events: "adminEvents",
  organizations: "adminOrganizations",
  people: "adminPeople",
  keys: "adminKeys",
  records: "adminRecords",
} as const;

const details = {
  conferences: "adminConference",
  events: "adminEvent",
  organizations: "adminOrganization",
} as const;

type Lists = { [Name in keyof typeof lists]: ResponseOf<(typeof lists)[Name]> };
type Row<Name extends keyof Lists> = Lists[Name]["items"][number];
export type DetailList = keyof typeof details;
export type Details = { [Name in DetailList]: ResponseOf<(typeof details)[Name]> };

/** From the address of the page. The service checks them. */
type Filters = Record<string, string | undefined>;

export function readRows<Name extends keyof Lists>(
  list: Name,
  query: Filters,
  signal?: AbortSignal,
): Promise<Lists[Name]> {
  const input = { query } as AddressInput<(typeof lists)[keyof Lists]>;
  return call(lists[list as keyof Lists], input, signal === undefined ? {} : { signal }) as Promise<Lists[Name]>;
}

/** A list with its filters. What was found before stays while something else is looked for. */
export const useRows = <Name extends keyof Lists>(list: Name, filters: Filters = {}): Pages<Row<Name>> =>
  usePages<Row<Name>>(platformKey(list, "rows", filters), (cursor, signal) =>
    readRows(list, { ...filters, cursor }, signal),
  );

export const exportAddress = (filters: Filters): string =>
  addressOf("exportAdminRecords", { query: filters } as AddressInput<"exportAdminRecords">);

export const detailQuery = <Name extends DetailList>(list: Name, id: string) =>
  queryOptions({
    queryKey: platformKey(list, "one", id),
    queryFn: ({ signal }) => call(details[list as DetailList], { id }, { signal }) as Promise<Details[Name]>,
  });

export const useDetail = <Name extends DetailList>(list: Name, id: string) => useQuery(detailQuery(list, id));

export const useOverview = () =>
  useQuery({
    queryKey: platformKey("overview"),
    queryFn: ({ signal }) => call("adminOverview", {}, { signal }),
  });

/** Open invitations to an organization, or to the platform only. */
export const useInvitations = (organization?: string) =>
  useQuery({
    queryKey: platformKey("invitations", organization ?? null),
    queryFn: ({ signal }) => call("adminInvitations", { query: { organization } }, { signal }),
  });
