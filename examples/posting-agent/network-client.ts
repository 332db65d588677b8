import { createHash } from "node:crypto";
import type { PatientFetch, Reply } from "./patient-fetch.js";

export type Image = { bytes: Buffer; contentType: string; sha256: string };

export type NewPost = { image: Image; caption: string; altText: string; clientToken: string };

export type Post = { url: string; created: boolean };

export type NetworkClient = ReturnType<typeof createNetworkClient>;

/** The social network's side. Another network means another one of these. */
export function createNetworkClient(patientFetch: PatientFetch, address: string, platform: string) {
  const posts = `${address}/api/${encodeURIComponent(platform)}/posts`;
  return {
    /** The network refuses to make a second post with a token it has seen: it answers with the first. */
    async post({ image, caption, altText, clientToken }: NewPost): Promise<Post> {
      const form = new FormData();
      form.set("client_token", clientToken);
      form.set("caption", caption);
      form.set("alt_text", altText);
      form.set("image", new Blob([new Uint8Array(image.bytes)], { type: image.contentType }), "poster");
      const reply = await patientFetch(posts, { method: "POST", body: form });
      if (reply.status !== 200 && reply.status !== 201) throw new Error(explain(reply));
      return { url: (JSON.parse(reply.bytes.toString("utf8")) as { url: string }).url, created: reply.status === 201 };
    },

    async find(clientToken: string): Promise<string | undefined> {
      const reply = await patientFetch(`${posts}?${new URLSearchParams({ client_token: clientToken })}`);
      if (reply.status === 404) return undefined;
      if (reply.status !== 200) throw new Error(explain(reply));
      return (JSON.parse(reply.bytes.toString("utf8")) as { url: string }).url;
    },
  };
}

function explain(reply: Reply): string {
  return `the network answered ${reply.status}: ${reply.bytes.toString("utf8").slice(0, 200)}`;
}

const maximumImageBytes = 20_000_000;
const postableTypes = new Set(["image/png", "image/jpeg", "image/webp", "image/gif"]);

/** The image may live on any host, so the API key is not sent along. */
export async function downloadImage(patientFetch: PatientFetch, url: string): Promise<Image> {
  const { status, headers, bytes } = await patientFetch(url, { maximumBytes: maximumImageBytes, timeoutMs: 60_000 });
  if (status !== 200) throw new Error(`the image ${url} answered ${status}`);
  const contentType = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!postableTypes.has(contentType)) throw new Error(`the image ${url} is of type ${contentType || "unknown"}`);
  if (bytes.length === 0) throw new Error(`the image ${url} is empty`);
  return { bytes, contentType, sha256: createHash("sha256").update(bytes).digest("hex") };
}
