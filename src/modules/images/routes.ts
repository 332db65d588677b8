import { z } from "zod";
import { ServiceError } from "../../platform/errors.js";
import { definePublicRoute } from "../../route.js";
import { hashInPath } from "./store.js";

export const getImage = definePublicRoute({
  operationId: "getImage",
  tag: "images",
  method: "GET",
  path: "/images/:file",
  summary: "Download an image",
  description:
    "The file name is the SHA-256 of the content, so a URL always returns the same bytes. The ETag is that hash; If-None-Match with it is a 304 even if the image is not stored.",
  params: z.object({ file: z.string() }),
  response: z.file(),
  examples: { params: { file: "209dbba0492680a99496346851ae918a503ef0add47a2e0fd42f47308c6023a5.png" } },
  errors: { 404: "Image not found", 503: "too many images are being read (Retry-After)" },
  handle({ findImage }, { params }) {
    const path = `/images/${params.file}`;
    const hash = hashInPath(path);
    if (hash === undefined) throw notFound();
    return {
      etag: `"${hash}"`,
      cacheControl: "public, max-age=31536000, immutable",
      async read() {
        const image = await findImage(path);
        if (image === undefined) throw notFound();
        return image;
      },
    };
  },
});

function notFound(): ServiceError {
  return new ServiceError("not_found", "Image not found");
}
