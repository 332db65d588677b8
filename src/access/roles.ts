/** Roles of an organization's members, the least powerful first: each may do all that those before it may. */
export const roles = ["member", "admin", "owner"] as const;

export type Role = (typeof roles)[number];

export function roleAtLeast(role: Role, wanted: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(wanted);
}
