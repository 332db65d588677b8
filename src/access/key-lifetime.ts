import { ServiceError } from "../platform/errors.js";
import { organizationKeyDays } from "./api-key.js";
import type { Tier } from "./caller.js";

/** Organization keys live 90 days at most; the other tiers live without an end unless one is given. */
export function keyLifetimeDays(tier: Tier, wanted: number | undefined): number | null {
  if (tier !== "organization") return wanted ?? null;
  if (wanted !== undefined && wanted > organizationKeyDays) {
    throw new ServiceError("invalid_input", `an organization key lives ${organizationKeyDays} days at most`);
  }
  return wanted ?? organizationKeyDays;
}
