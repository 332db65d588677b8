import type { PlatformName } from "../../../contract/platform-names.ts";

/** Where posters are posted, and how a post is shared again on the same platform. */
export type Platform = {
  name: PlatformName;
  /** Other names under which agents report it. */
  aliases?: readonly string[];
  hosts: readonly string[];
  /** The platform's own page for sharing a post; absent where there is none, and the link can only be copied. */
  share?: (url: string) => string;
};

const withUrl = (address: string, parameter: string) => (url: string) =>
  `${address}?${parameter}=${encodeURIComponent(url)}`;

export const platforms: readonly Platform[] = [
  {
    name: "X",
    aliases: ["twitter"],
    hosts: ["x.com", "twitter.com"],
    // A post is reposted as it is; any other address becomes a new post.
    share: (url) => {
      const id = /\/status\/(\d+)/.exec(url)?.[1];
      return id === undefined
        ? withUrl("https://x.com/intent/post", "url")(url)
        : `https://x.com/intent/retweet?tweet_id=${id}`;
    },
  },
  {
    name: "LinkedIn",
    hosts: ["linkedin.com", "lnkd.in"],
    share: withUrl("https://www.linkedin.com/sharing/share-offsite/", "url"),
  },
  {
    name: "Facebook",
    aliases: ["fb", "meta"],
    hosts: ["facebook.com", "fb.com", "fb.watch"],
    share: withUrl("https://www.facebook.com/sharer/sharer.php", "u"),
  },
  {
    name: "Bluesky",
    aliases: ["bsky"],
    hosts: ["bsky.app"],
    share: withUrl("https://bsky.app/intent/compose", "text"),
  },
  {
    name: "Mastodon",
    hosts: [],
    // Each server has its own page; people who host an event have an account where it was posted.
    share: (url) => withUrl(`${new URL(url).origin}/share`, "text")(url),
  },
  {
    name: "Threads",
    hosts: ["threads.com", "threads.net"],
    share: withUrl("https://www.threads.com/intent/post", "url"),
  },
  { name: "Reddit", hosts: ["reddit.com", "redd.it"], share: withUrl("https://www.reddit.com/submit", "url") },
  { name: "Telegram", hosts: ["t.me", "telegram.me"], share: withUrl("https://t.me/share/url", "url") },
  { name: "Instagram", aliases: ["ig", "insta"], hosts: ["instagram.com"] },
  { name: "TikTok", hosts: ["tiktok.com"] },
  { name: "YouTube", aliases: ["yt"], hosts: ["youtube.com", "youtu.be"] },
];

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The platform of a reported link: by the name that the agent gave, else by the address. */
export function findPlatform(name: string, url: string): Platform | undefined {
  const wanted = plain(name);
  const byName = platforms.find((each) =>
    [each.name, ...(each.aliases ?? [])].some((known) => plain(known) === wanted),
  );
  return byName ?? platforms.find(({ hosts }) => hosts.some((host) => isWithin(url, host)));
}

/** An agent's own name is kept where the platform is not known. */
export const platformName = (name: string, url: string): string => findPlatform(name, url)?.name ?? name;

/** Where the link can be shared again; undefined if the platform has no such page. */
export function shareUrl(name: string, url: string): string | undefined {
  return URL.canParse(url) ? findPlatform(name, url)?.share?.(url) : undefined;
}

function isWithin(url: string, host: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === host || hostname.endsWith(`.${host}`);
}
