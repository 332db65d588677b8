import type { Role } from "../../../contract/roles.ts";

/** What the roles in an organization may do, the lowest first. */
export const roleOptions: { value: Role; label: string; hint: string }[] = [
  { value: "member", label: "Member", hint: "Sees events, guests and posters; checks guests in" },
  { value: "admin", label: "Admin", hint: "Also changes events, guests and posters" },
  { value: "owner", label: "Owner", hint: "Also manages people, API keys and the organization" },
];

export const roleLabel = (role: Role): string => roleOptions.find(({ value }) => value === role)?.label ?? role;

/** Within a sentence: "an owner". */
export const articled = (role: Role): string => `${role === "member" ? "a" : "an"} ${role}`;
