import { createHash } from "node:crypto";
import type { FetchedResponse, RetryingFetch } from "./retrying-fetch.js";

export type Image = { bytes: Buffer; contentType: string; sha256: string };

export type NewPost = { image: Image; caption: string; altText: string; clientToken: string };

export type Post = { url: string; created: boolean };

export type NetworkClient = ReturnType<typeof createNetworkClient>;

/** Client of the social network. To post to another network, replace this one. */
export function createNetworkClient(retryingFetch: RetryingFetch, address: string, platform: string) {
  const posts = `${address}/api/${encodeURIComponent(platform)}/posts`;
  return {
    /** Idempotent: for a token it has seen, the network returns the existing post. */
    async post({ image, caption, altText, clientToken }: NewPost): Promise<Post> {
      const form = new FormData();
      form.set("client_token", clientToken);
      form.set("caption", caption);
      form.set("alt_text", altText);
      form.set("image", new Blob([new Uint8Array(image.bytes)], { type: image.contentType }), "poster");
      const response = await retryingFetch(posts, { method: "POST", body: form });
      if (response.status !== 200 && response.status !== 201) throw new Error(explain(response));
      return {
        url: (JSON.parse(response.bytes.toString("utf8")) as { url: string }).url,
        created: response.status === 201,
      };
    },

    async find(clientToken: string): Promise<string | undefined> {
      const response = await retryingFetch(`${posts}?${new URLSearchParams({ client_token: clientToken })}`);
      if (response.status === 404) return undefined;
      if (response.status !== 200) throw new Error(explain(response));
      return (JSON.parse(response.bytes.toString("utf8")) as { url: string }).url;
    },
  };
}

function explain(response: FetchedResponse): string {
  return `the network responded with ${response.status}: ${response.bytes.toString("utf8").slice(0, 200)}`;
}

const maxImageBytes = 20_000_000;
const postableTypes = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** The image may be on any host, so the API key is not sent. */
export async function downloadImage(retryingFetch: RetryingFetch, url: string): Promise<Image> {
  const { status, headers, bytes } = await retryingFetch(url, { maxBytes: maxImageBytes, timeoutMs: 60_000 });
  if (status !== 200) throw new Error(`image ${url}: status ${status}`);
  const contentType = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!postableTypes.has(contentType)) throw new Error(`image ${url}: unsupported type ${contentType || "unknown"}`);
  if (bytes.length === 0) throw new Error(`image ${url} is empty`);
  return { bytes, contentType, sha256: createHash("sha256").update(bytes).digest("hex") };
}
