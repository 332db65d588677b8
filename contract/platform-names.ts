/** Where posters are usually posted, as people write it. Agents may report links of any other platform. */
export const platformNames = [
  ...(["X", "LinkedIn", "Facebook", "Bluesky", "Mastodon", "Threads"] as const),
  ...(["Reddit", "Telegram", "Instagram", "TikTok", "YouTube"] as const),
];

export type PlatformName = (typeof platformNames)[number];
