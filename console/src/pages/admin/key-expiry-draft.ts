import type { PlatformKey } from "../../../../contract/console/admin.ts";
import { platformKeyDays } from "../../../../contract/nouns.ts";
import { type Problems, required } from "../../drafts/use-draft.ts";
import { formatCount } from "../../format/counts.ts";
import { formatDay, localZone } from "../../format/times.ts";
import { fromZonedInput, toZonedInput } from "../../format/zoned-input.ts";
import { lifetimes } from "./platform-key-lifetimes.ts";

/** When a key expires, as the form has it: so many days from now, "" for never, or at the end of a day here. */
export type KeyExpiryDraft = { expires: string; last_day: string };

const onDay = "on";
const dayMs = 86_400_000;

export const keyExpiryDraft = ({ expires_at }: Pick<PlatformKey, "expires_at">): KeyExpiryDraft =>
  expires_at === null
    ? { expires: "", last_day: "" }
    : { expires: onDay, last_day: toZonedInput(expires_at, localZone()).slice(0, 10) };

export const choosesDay = ({ expires }: KeyExpiryDraft): boolean => expires === onDay;

export const expiryOptions = (now: number) => [
  ...lifetimes.map(({ value, label }) =>
    value === ""
      ? { value, label, hint: "It works until it is revoked" }
      : { value, label, hint: formatDay(now + Number(value) * dayMs, localZone()) },
  ),
  { value: onDay, label: "At the end of a day" },
];

export function keyExpiryProblems(draft: KeyExpiryDraft, now = Date.now()): Problems<KeyExpiryDraft> {
  if (!choosesDay(draft)) return {};
  const at = Date.parse(expiresAt(draft, now) ?? "");
  return {
    last_day:
      required(draft.last_day, "a day") ??
      (at > now ? undefined : "Choose a day to come: to end the key now, revoke it") ??
      (at <= now + platformKeyDays * dayMs ? undefined : `At most ${formatCount(platformKeyDays)} days from now`),
  };
}

/** The instant that the tool expects; null for a key that does not expire. */
export function expiresAt(draft: KeyExpiryDraft, now = Date.now()): string | null {
  const { expires, last_day } = draft;
  if (choosesDay(draft)) return fromZonedInput(`${last_day}T23:59`, localZone()) ?? null;
  return expires === "" ? null : new Date(now + Number(expires) * dayMs).toISOString();
}
