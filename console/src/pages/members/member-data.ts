import { queryOptions } from "@tanstack/react-query";
import type { Role } from "../../../../contract/roles.ts";
import { get, path } from "../../api/client.ts";
import { organizationKey } from "../../api/query-keys.ts";

export type Member = {
  user_id: string;
  name: string;
  email: string;
  role: Role;
  active_keys: number;
  unverified: boolean;
};

export type Invitation = {
  id: string;
  email: string;
  role: Role;
  invited_by: string;
  created_at: string;
  expires_at: string;
};

/** `invitations` is null for those who may not see them. */
export type MemberList = { members: Member[]; member_count: number; invitations: Invitation[] | null };

export const membersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: organizationKey(organizationId, "members"),
    queryFn: ({ signal }) => get<MemberList>(path`/api/console/organizations/${organizationId}/members`, signal),
  });
