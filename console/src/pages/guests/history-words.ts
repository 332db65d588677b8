export type HistoryEntry = {
  at: string;
  tool: string;
  from: string | null;
  to: string | null;
  reason: string | null;
  user: { name: string; email: string } | null;
  key: string | null;
  organization: string | null;
};

export function describeEntry({ from, to }: HistoryEntry): string {
  if (from === null) return `Added, ${to ?? "state unknown"}`;
  return from === to ? `Stayed ${to}` : `From ${from} to ${to ?? "unknown"}`;
}

export function actorOf({ user, key, organization }: HistoryEntry): string {
  if (key !== null) return user === null ? `Key “${key}”` : `${user.name} with the key “${key}”`;
  return user?.name ?? organization ?? "The platform";
}
