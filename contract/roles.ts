/** Roles of an organization's members, from least to most powerful: each includes those before it. */
export const roles = ["member", "admin", "owner"] as const;

export type Role = (typeof roles)[number];

export function roleAtLeast(role: Role, wanted: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(wanted);
}
