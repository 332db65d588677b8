import { Badge } from "./badge.tsx";

/** Marks an account that a password opens although nobody has verified its e-mail address. */
export function UnverifiedAddress() {
  return <Badge tone="warning">Address not verified</Badge>;
}
