import { describe, expect, it } from "vitest";
import { platformNames } from "../../../contract/platform-names.ts";
import { platformName, platforms, shareUrl } from "./platforms.ts";

const post = "https://social.example/p/1?a=b&c=d";
const encoded = encodeURIComponent(post);

it("every platform that the service suggests is known, in the same order", () => {
  expect(platforms.map(({ name }) => name)).toEqual(platformNames);
});

describe("a link is shared on its own platform", () => {
  it.each([
    ["x", post, `https://x.com/intent/post?url=${encoded}`],
    ["x", "https://x.com/harbour/status/1234567890", "https://x.com/intent/retweet?tweet_id=1234567890"],
    ["twitter", post, `https://x.com/intent/post?url=${encoded}`],
    ["linkedin", post, `https://www.linkedin.com/sharing/share-offsite/?url=${encoded}`],
    ["Linked In", post, `https://www.linkedin.com/sharing/share-offsite/?url=${encoded}`],
    ["facebook", post, `https://www.facebook.com/sharer/sharer.php?u=${encoded}`],
    ["bluesky", post, `https://bsky.app/intent/compose?text=${encoded}`],
    ["mastodon", post, `https://social.example/share?text=${encoded}`],
    ["threads", post, `https://www.threads.com/intent/post?url=${encoded}`],
    ["reddit", post, `https://www.reddit.com/submit?url=${encoded}`],
    ["telegram", post, `https://t.me/share/url?url=${encoded}`],
    ["instagram", post, undefined],
    ["tiktok", post, undefined],
    ["youtube", post, undefined],
    ["our-own-site", post, undefined],
    ["mastodon", "not an address", undefined],
  ])("%s %s", (platform, url, expected) => {
    expect(shareUrl(platform, url)).toBe(expected);
  });
});

describe("a platform is named", () => {
  it.each<[string, string, string]>([
    ["LINKEDIN", post, "LinkedIn"],
    ["company page", "https://www.linkedin.com/posts/1", "LinkedIn"],
    ["company page", "https://notlinkedin.com/posts/1", "company page"],
    ["our-own-site", post, "our-own-site"],
    ["our-own-site", "not an address", "our-own-site"],
    // The name that the agent gave counts more than the address.
    ["mastodon", "https://x.com/harbour/status/1", "Mastodon"],
    ...[
      ["X", "x.com", "twitter.com", "mobile.twitter.com"],
      ["LinkedIn", "linkedin.com", "lnkd.in"],
      ["Facebook", "m.facebook.com", "fb.com", "fb.watch"],
      ["Bluesky", "bsky.app"],
      ["Threads", "threads.com", "www.threads.net"],
      ["Reddit", "reddit.com", "redd.it"],
      ["Telegram", "t.me", "telegram.me"],
      ["Instagram", "www.instagram.com"],
      ["TikTok", "www.tiktok.com"],
      ["YouTube", "www.youtube.com", "youtu.be"],
    ].flatMap(([name = "", ...hosts]) =>
      hosts.map((host): [string, string, string] => ["a post", `https://${host}/1`, name]),
    ),
    ...[
      ["X", "twitter"],
      ["Facebook", "fb", "Meta"],
      ["Bluesky", "bsky"],
      ["Instagram", "ig", "insta"],
      ["YouTube", "yt", "You-Tube"],
    ].flatMap(([name = "", ...aliases]) => aliases.map((alias): [string, string, string] => [alias, post, name])),
  ])("%s %s", (platform, url, name) => {
    expect(platformName(platform, url)).toBe(name);
  });
});
